import { useEffect, useReducer } from 'react';
import { serverNow } from '#web/lib/clock.ts';
import { countdown } from '#web/lib/formatters/when.ts';
import { Row } from '#web/ui/box.tsx';
import { Icon } from '#web/ui/icons.tsx';
import { Text, Unseen } from '#web/ui/text.tsx';

/** Milliseconds, updated every second; infinite without an instant. */
export const useTimeLeft = (until: string | undefined): number => {
  const [, tick] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (!until) return;
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, [until]);
  return until ? Date.parse(until) - serverNow() : Number.POSITIVE_INFINITY;
};

const spoken = (left: number): string => {
  if (left <= 0) return 'Your tickets are no longer held.';
  if (left <= 60_000) return 'Your tickets are held for one more minute.';
  if (left <= 120_000) return 'Your tickets are held for two more minutes.';
  return '';
};

export const HoldClock = ({ left }: { left: number }) => (
  <Row gap="$8" color={left <= 120_000 ? '$warn' : '$dim'}>
    <Icon name="clock" size={18} />
    <Text size="small" tone={left <= 120_000 ? 'warn' : 'dim'} figures>
      {left > 0 ? `Held for you for ${countdown(left)}` : 'No longer held'}
    </Text>
    <span role="status">
      <Unseen>{spoken(left)}</Unseen>
    </span>
  </Row>
);
