import { useEffect, useState } from 'react';
import { serverNow } from '../../api/clock.ts';
import { Row } from '../../ui/box.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Text, Unseen } from '../../ui/text.tsx';
import { countdown } from '../../words/when.ts';

/** Milliseconds left until an instant; ticks each second. */
export const useTimeLeft = (until: string | undefined): number => {
  const left = () => (until ? Date.parse(until) - serverNow() : Number.POSITIVE_INFINITY);
  const [time, setTime] = useState(left);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `left` is made of `until`.
  useEffect(() => {
    setTime(left());
    if (!until) return;
    const timer = setInterval(() => setTime(left()), 1_000);
    return () => clearInterval(timer);
  }, [until]);
  return time;
};

/** What screen readers hear: at the start of each of the last two minutes. */
const spoken = (left: number): string => {
  if (left <= 0) return 'Your tickets are no longer held.';
  if (left <= 60_000) return 'Your tickets are held for one more minute.';
  if (left <= 120_000) return 'Your tickets are held for two more minutes.';
  return '';
};

/** How long the tickets are still held. Calm until the last two minutes. */
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
