import { useId, useRef } from 'react';
import type { Wait } from '#domain/contracts/waiting.ts';
import { when } from '#web/lib/formatters/when.ts';
import { useKeptFocus } from '#web/lib/kept-focus.ts';
import { Box, Panel, Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextLink } from '#web/ui/link.tsx';
import { NotLoaded } from '#web/ui/not-loaded.tsx';
import { Heading, Text } from '#web/ui/text.tsx';
import { useLeaveWaiting, useWaits } from './waiting.ts';

const Waited = ({ wait }: { wait: Wait }) => {
  const leave = useLeaveWaiting(wait.eventId);
  return (
    <Row render="li" gap="$16" justifyContent="space-between" flexWrap="wrap">
      <Box gap="$4">
        <TextLink to={`/events/${wait.eventId}`}>{wait.title}</TextLink>
        <Text size="small" tone="dim">
          {`${when(wait)}, ${wait.venue}`}
        </Text>
      </Box>
      <Button
        size="small"
        aria-label={`Leave the waiting list of ${wait.title}`}
        busy={leave.isPending}
        onClick={() => leave.mutate(undefined)}
      >
        Leave
      </Button>
    </Row>
  );
};

export const WaitingFor = () => {
  const { data: waits = [], isError, error, refetch } = useWaits();
  const id = useId();
  const head = useRef<HTMLDivElement>(null);
  const keptFocus = useKeptFocus(head);
  return (
    <Box {...keptFocus}>
      {waits.length > 0 ? (
        <Panel ref={head} render="section" aria-labelledby={id} tabIndex={-1}>
          <Box gap="$4">
            <Heading id={id} size="title">
              Waiting list
            </Heading>
            <Text size="small" tone="dim">
              We mail you once, when there are tickets again.
            </Text>
          </Box>
          <Box render="ul" gap="$16">
            {waits.map((wait) => (
              <Waited key={wait.eventId} wait={wait} />
            ))}
          </Box>
        </Panel>
      ) : isError ? (
        <NotLoaded what="Your waiting list" error={error} refetch={refetch} />
      ) : null}
    </Box>
  );
};
