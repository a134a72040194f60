import { useTrail } from '../../api/bookings.ts';
import { Box } from '../../ui/box.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Text } from '../../ui/text.tsx';
import { TrailLine } from '../../ui/trail.tsx';
import { moment } from '../../words/when.ts';

export const Trail = ({
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
  const { data, isError } = useTrail(id, open);
  return (
    <details className="fold" open={open} onToggle={(event) => onOpen(event.currentTarget.open)}>
      <summary>What happened to this booking</summary>
      <Box paddingBottom="$16">
        {data ? (
          <ol>
            {data.map((entry, index) => (
              <TrailLine key={`${entry.at} ${entry.kind}`} last={index === data.length - 1}>
                <Text strong>{entry.title}</Text>
                {entry.detail ? <Text size="small">{entry.detail}</Text> : null}
                <Text size="small" tone="dim" figures>
                  {`${moment(entry.at, zone)}${entry.by ? `, by ${entry.by}` : ''}`}
                </Text>
              </TrailLine>
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
