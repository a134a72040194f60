import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { SignInAgain } from '#web/features/accounts/security/sign-in-again.tsx';
import { useDeleteProfile, useDeletionQuote } from '#web/features/accounts/use-profile.ts';
import { forgetDoor } from '#web/features/door/offline/kept-door.ts';
import { fieldsOf, hasCode, isUnauthorized } from '#web/lib/api/client.ts';
import { sessionEnded, useSession } from '#web/lib/api/session.ts';
import { failureOf } from '#web/lib/failure.ts';
import { sayFailure } from '#web/lib/formatters/failure.ts';
import { pounds } from '#web/lib/formatters/money.ts';
import { moment } from '#web/lib/formatters/when.ts';
import { toastError } from '#web/lib/toast.ts';
import { Box, Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Check, Field } from '#web/ui/field.tsx';
import { TryAgain } from '#web/ui/not-loaded.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Text } from '#web/ui/text.tsx';

/** Milliseconds. */
const REDIRECT_AFTER = 500;

const Consequences = ({
  quote: { data: quote, isError, refetch },
}: {
  quote: ReturnType<typeof useDeletionQuote>;
}) => {
  if (!quote && isError)
    return (
      <Notice
        tone="bad"
        title="We couldn’t work out what you would get back"
        action={<TryAgain size="small" refetch={refetch} />}
      />
    );
  if (!quote) return <Skeleton height={64} />;
  if (quote.bookings.length === 0) return <Text tone="dim">You have no upcoming bookings.</Text>;
  return (
    <Box gap="$16">
      <Notice
        tone="warn"
        title={`${quote.bookings.length} upcoming booking${quote.bookings.length === 1 ? '' : 's'} will be cancelled`}
      >
        {`In all ${pounds(quote.refundTotal)} comes back to your card.`}
      </Notice>
      <Box render="ul" gap="$8">
        {quote.bookings.map((booking) => (
          <li key={booking.id}>
            <Text size="small" tone="dim" figures>
              {`${booking.title}, ${moment(booking.startsAt, booking.zone)}: ${pounds(booking.refundAmount)} back (${booking.refundPercent}%)`}
            </Text>
          </li>
        ))}
      </Box>
    </Box>
  );
};

/**
 * Once sent, "keep" is offered again only if the server refused.
 * @param onLeave called before leaving, so that the page doesn't report the ended session
 */
export const DeleteAccountDialog = ({ onClose, onLeave }: { onClose: () => void; onLeave: () => void }) => {
  const [sure, setSure] = useState(false);
  const [password, setPassword] = useState('');
  const asksPassword = !!useSession().user?.signInWith.includes('password');
  const [unsure, setUnsure] = useState(false);
  const remove = useDeleteProfile();
  const quote = useDeletionQuote();
  /** Known beforehand, so a lost answer does not matter. */
  const gone = quote.data ? `/profile-deleted?receipt=${quote.data.receipt}` : '/profile-deleted';
  const navigate = useNavigate();
  const leave = (path: string) => {
    onLeave();
    navigate(path, { replace: true });
    sessionEnded();
  };
  const { error } = remove;
  const passwordBox = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error) passwordBox.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  const run = () =>
    remove.mutate(
      { password: asksPassword ? password : undefined },
      {
        onSuccess: () => {
          // This device may hold scanner data.
          forgetDoor();
          leave(gone);
        },
        onError: (error) => {
          const failure = failureOf(error);
          if (failure === 'unknown') return setUnsure(true);
          if (failure === 'refused') setUnsure(false);
          if (isUnauthorized(error)) {
            toastError('Unauthorized', 'You are logged out. Please sign in again.');
            setTimeout(() => leave('/auth'), REDIRECT_AFTER);
          } else if (!hasCode(error, 'WRONG_PASSWORD') && !hasCode(error, 'SIGN_IN_AGAIN'))
            toastError('Failed to delete profile. Please try again.', sayFailure(error));
        },
      },
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (sure && !remove.isPending) run();
  };
  return (
    <Dialog open onClose={onClose} title="Delete your account?" width={540} locked={remove.isPending}>
      <Text>
        Your profile, bookings and tickets go for good. Nobody can bring them back, and neither can we: the
        key that makes them readable is destroyed.
      </Text>
      <Consequences quote={quote} />
      <Check
        label="I understand that this can’t be undone"
        checked={sure}
        onChange={(event) => setSure(event.target.checked)}
      />
      <form onSubmit={submit} noValidate>
        <Box gap="$20">
          {asksPassword ? (
            <Box ref={passwordBox}>
              <Field
                label="Your password"
                type="password"
                autoComplete="current-password"
                value={password}
                error={fieldsOf(error).password}
                onChange={(event) => setPassword(event.target.value)}
              />
            </Box>
          ) : null}
          <SignInAgain error={error} returnTo="/profile">
            So that nobody else deletes your account at your open browser. Nothing has been deleted.
          </SignInAgain>
          {unsure && !remove.isPending ? (
            <Notice tone="warn" alert title="We don’t know yet whether your account is deleted">
              No answer came. You can ask again, or close this and look whether you are still signed in.
            </Notice>
          ) : null}
          <Box>
            <Row gap="$12" justifyContent="flex-end" flexWrap="wrap">
              <Button kind="outline" onClick={onClose} disabled={remove.isPending}>
                {unsure ? 'Close' : 'Keep my account'}
              </Button>
              <Button
                kind="danger"
                type="submit"
                disabled={!sure}
                busy={remove.isPending}
                busyText="Deleting..."
              >
                {unsure ? 'Ask again' : 'Delete my account'}
              </Button>
            </Row>
          </Box>
        </Box>
      </form>
    </Dialog>
  );
};
