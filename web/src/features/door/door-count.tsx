import { useEffect } from 'react';
import { renewLive } from '#web/lib/api/live.ts';
import { Figures } from '#web/ui/figure.tsx';
import { useDoorCount } from './tickets.ts';

export const DoorCount = ({ eventId }: { eventId: number }) => {
  // Reopen: a live stream opened before the sign-in lacks admission counts.
  useEffect(renewLive, []);
  const counts = useDoorCount(eventId);
  return (
    <Figures
      of={{
        In: counts?.inside,
        'Still to come': counts && Math.max(0, counts.expected - counts.inside),
        Expected: counts?.expected,
        ...(counts && counts.conflicts > 0 ? { 'In twice': counts.conflicts } : {}),
      }}
    />
  );
};
