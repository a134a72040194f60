import { useRef } from 'react';
import { type ListedSession, securityCalls } from '#domain/contracts/security.ts';
import { useAnswer } from '#web/lib/api/use-answer.ts';
import { useChange } from '#web/lib/api/use-change.ts';
import { moment } from '#web/lib/formatters/when.ts';
import { useKeptFocus } from '#web/lib/kept-focus.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Box, Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { TryAgain } from '#web/ui/not-loaded.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { Text } from '#web/ui/text.tsx';

const stale = [securityCalls.sessions];

const Session = ({
  session: { id, device, firstSeenAt, lastSeenAt, current },
}: {
  session: ListedSession;
}) => {
  const end = useChange(securityCalls.endSession, {
    params: { id },
    stale,
    done: ({ message }) => ({ title: message, description: device }),
    failed: 'Signing out there failed',
  });
  const since = moment(firstSeenAt);
  return (
    <Row render="li" gap="$16" justifyContent="space-between" flexWrap="wrap">
      <Box gap="$4">
        <Row gap="$12" flexWrap="wrap">
          <Text strong>{device}</Text>
          {current ? <Badge tone="good">This one</Badge> : null}
        </Row>
        <Text size="small" tone="dim" figures>
          {current ? `Signed in ${since}` : `Signed in ${since}, last seen ${moment(lastSeenAt)}`}
        </Text>
      </Box>
      {current ? null : (
        <Button
          size="small"
          aria-label={`Sign out ${device}, signed in ${since}`}
          busy={end.isPending}
          busyText="Signing out..."
          onClick={() => end.mutate(undefined)}
        >
          Sign out
        </Button>
      )}
    </Row>
  );
};

export const Sessions = () => {
  const sessions = useAnswer(securityCalls.sessions);
  const top = useRef<HTMLDivElement>(null);
  const keptFocus = useKeptFocus(top);
  const endOthers = useChange(securityCalls.endOtherSessions, {
    stale,
    done: ({ message }) => ({ title: message }),
    failed: 'Signing out elsewhere failed',
  });
  if (!sessions.data && sessions.isError)
    return (
      <Notice
        tone="bad"
        alert
        title="The list didn’t load"
        action={<TryAgain size="small" refetch={sessions.refetch} />}
      />
    );
  if (!sessions.data)
    return (
      <Loading label="Loading where you are signed in">
        <Box gap="$20">
          <Skeleton height={44} />
          <Skeleton height={44} />
        </Box>
      </Loading>
    );
  return (
    <Box ref={top} tabIndex={-1} gap="$20" {...keptFocus}>
      <Box render="ul" gap="$20">
        {sessions.data.map((session) => (
          <Session key={session.id} session={session} />
        ))}
      </Box>
      {sessions.data.length > 1 ? (
        <Row>
          <Button
            kind="outline"
            busy={endOthers.isPending}
            busyText="Signing out..."
            onClick={() => endOthers.mutate(undefined)}
          >
            Sign out everywhere else
          </Button>
        </Row>
      ) : (
        <Text tone="dim">You are signed in nowhere else.</Text>
      )}
    </Box>
  );
};
