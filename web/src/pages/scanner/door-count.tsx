import { useEffect } from 'react';
import { renewLive } from '../../api/live.ts';
import { useDoorCount } from '../../api/tickets.ts';
import { Figures } from '../../ui/figure.tsx';

/** Who is in and who is still to come for the event of this gate, live from all gates. */
export const DoorCount = ({ eventId }: { eventId: number }) => {
  // A stream that was opened before the sign-in doesn't tell who is in.
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
