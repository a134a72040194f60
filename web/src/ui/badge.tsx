import type { ReactNode } from 'react';
import { Row } from './box.tsx';
import { Icon, type IconName } from './icons.tsx';
import { Text } from './text.tsx';

export type Tone = 'good' | 'warn' | 'bad' | 'plain';

const grounds = { good: '$goodGround', warn: '$warnGround', bad: '$badGround', plain: '$lifted' } as const;
const texts = { good: 'good', warn: 'warn', bad: 'bad', plain: 'paper' } as const;
const signs: Record<Tone, IconName | undefined> = {
  good: 'check',
  warn: 'clock',
  bad: 'close',
  plain: undefined,
};

export const Badge = ({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) => (
  <Row
    alignSelf="flex-start"
    width="fit-content"
    maxWidth="100%"
    flexShrink={0}
    gap="$4"
    minHeight={28}
    paddingHorizontal={12}
    borderRadius="$pill"
    backgroundColor={grounds[tone]}
    color={tone === 'plain' ? '$paper' : `$${tone}`}
  >
    {signs[tone] ? <Icon name={signs[tone]} size={14} /> : null}
    <Text size="small" strong tone={texts[tone]}>
      {children}
    </Text>
  </Row>
);

export const hueOf = (category: string) => {
  switch (category) {
    case 'concerts':
    case 'dining':
    case 'nightlife':
    case 'culture':
      return `$${category}` as const;
    default:
      return '$paper';
  }
};

export const CategoryMark = ({ category, label }: { category: string; label: string }) => (
  <Row gap="$8">
    <Row width={8} height={8} borderRadius="$pill" backgroundColor={hueOf(category)} />
    <Text size="small" strong color={hueOf(category)}>
      {label}
    </Text>
  </Row>
);
