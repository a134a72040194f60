import { moment } from '#web/lib/formatters/when.ts';
import { Box } from '#web/ui/box.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Text } from '#web/ui/text.tsx';
import { TimelineEntry } from '#web/ui/timeline.tsx';
import { useBookingHistory } from './use-bookings.ts';

export const BookingHistory = ({
  id,
  zone,
  open,
  onOpen,
}: {
  id: number;
  zone: string;
  open: boolean;
  onOpen: (open: boolean) => void;
}) => {
  const { data, isError } = useBookingHistory(id, open);
  return (
    <details className="fold" open={open} onToggle={(event) => onOpen(event.currentTarget.open)}>
      <summary>What happened to this booking</summary>
      <Box paddingBottom="$16">
        {data ? (
          <ol>
            {data.map((entry, index) => (
              <TimelineEntry key={`${entry.at} ${entry.kind}`} last={index === data.length - 1}>
                <Text strong>{entry.title}</Text>
                {entry.detail ? <Text size="small">{entry.detail}</Text> : null}
                <Text size="small" tone="dim" figures>
                  {`${moment(entry.at, zone)}${entry.by ? `, by ${entry.by}` : ''}`}
                </Text>
              </TimelineEntry>
            ))}
          </ol>
        ) : isError ? (
          <Text size="small" tone="dim">
            The history didn’t load. Fold and unfold to try again.
          </Text>
        ) : open ? (
          <Box gap="$12">
            <Skeleton width="60%" />
            <Skeleton width="45%" />
            <Skeleton width="52%" />
          </Box>
        ) : null}
      </Box>
    </details>
  );
};
