import { type ReactNode, useEffect, useRef } from 'react';
import type { Tone } from './badge.tsx';
import { Box, Row } from './box.tsx';
import { Icon, type IconName } from './icons.tsx';
import { Text } from './text.tsx';

const grounds = { good: '$goodGround', warn: '$warnGround', bad: '$badGround', plain: '$lifted' } as const;
const signs: Record<Tone, IconName> = { good: 'check', warn: 'alert', bad: 'alert', plain: 'ticket' };

/** `alert` announces it at once; `reveal` scrolls to it. */
export const Notice = ({
  tone = 'plain',
  title,
  children,
  action,
  alert,
  reveal,
}: {
  tone?: Tone;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  alert?: boolean;
  reveal?: boolean;
}) => {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (reveal) place.current?.scrollIntoView({ block: 'nearest' });
  }, [reveal]);
  return (
    <Row
      ref={place}
      role={alert ? 'alert' : undefined}
      gap="$16"
      alignItems="flex-start"
      padding="$20"
      borderRadius="$large"
      backgroundColor={grounds[tone]}
      color={tone === 'plain' ? '$lime' : `$${tone}`}
    >
      <Icon name={signs[tone]} size={22} />
      <Box gap="$8" flex={1}>
        <Text strong>{title}</Text>
        {children ? <Text size="small">{children}</Text> : null}
        {action ? (
          <Row gap="$12" flexWrap="wrap" marginTop="$8">
            {action}
          </Row>
        ) : null}
      </Box>
    </Row>
  );
};
