import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { rememberedSignedIn, useSession } from '#web/lib/api/session.ts';
import { rememberWayBack } from '#web/lib/way-back.ts';
import { Box } from '#web/ui/box.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Text } from '#web/ui/text.tsx';
import { useJoinWaiting, useLeaveWaiting, useWaits } from './waiting.ts';

const ASK = 'Tell me if tickets come back';

const Note = ({ children }: { children: string }) => (
  <Text size="small" tone="dim">
    {children}
  </Text>
);

const Stranger = ({ id }: { id: number }) => {
  const { isLoading } = useSession();
  const asked = useSearchParams()[0].has('waiting') && !isLoading;
  const navigate = useNavigate();
  useEffect(() => {
    if (!asked) return;
    rememberWayBack();
    navigate('/auth', { replace: true });
  }, [asked, navigate]);
  return (
    <>
      <ButtonLink to={`/events/${id}?waiting`} kind="outline" wide>
        {ASK}
      </ButtonLink>
      <Note>People cancel, and let tickets go. Sign in, and we mail you once when there are some.</Note>
    </>
  );
};

const Own = ({ id }: { id: number }) => {
  const { data: waits, isPending } = useWaits();
  const [join, leave] = [useJoinWaiting(id), useLeaveWaiting(id)];
  if (isPending) return null;
  const isWaiting = waits?.some(({ eventId }) => eventId === id);
  return (
    <>
      <Button
        kind={isWaiting ? 'quiet' : 'outline'}
        wide
        busy={join.isPending || leave.isPending}
        // A double click's second click was meant for the previous state.
        onClick={({ detail }) => {
          if (detail < 2) (isWaiting ? leave : join).mutate(undefined);
        }}
      >
        {isWaiting ? 'Leave the waiting list' : ASK}
      </Button>
      <Note>
        {isWaiting
          ? 'You are on the waiting list. We mail you once, when there are tickets again.'
          : 'People cancel, and let tickets go. We mail you once when there are some.'}
      </Note>
    </>
  );
};

export const WaitingList = ({ id }: { id: number }) => {
  const { isLoading, isAuthenticated } = useSession();
  // While the session loads, render the stranger's view, as the server did.
  if (isLoading && rememberedSignedIn()) return null;
  return <Box gap="$12">{isAuthenticated ? <Own id={id} /> : <Stranger id={id} />}</Box>;
};
