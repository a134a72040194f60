import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { sessionEnded } from '../../api/auth.ts';
import { isUnauthorized } from '../../api/client.ts';
import { useDeleteProfile, useDeletionQuote } from '../../api/profile.ts';
import { Box, Row } from '../../ui/box.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Check } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Text } from '../../ui/text.tsx';
import { complain } from '../../ui/toast.tsx';
import { pounds } from '../../words/money.ts';
import { moment } from '../../words/when.ts';

/** How long a message is shown before the page changes, in milliseconds. */
const REDIRECT_AFTER = 500;

const Consequences = () => {
  const { data: quote } = useDeletionQuote();
  if (!quote) return <Skeleton height={64} />;
  if (quote.bookings.length === 0) return <Text tone="dim">You have no upcoming bookings.</Text>;
  return (
    <Box gap="$16">
      <Notice
        tone="warn"
        title={`${quote.bookings.length} upcoming booking${quote.bookings.length === 1 ? '' : 's'} will be cancelled`}
      >
        In all {pounds(quote.refundTotal)} comes back to your card.
      </Notice>
      <ul>
        {quote.bookings.map((booking) => (
          <li key={booking.id}>
            <Text size="small" tone="dim" figures>
              {booking.title}, {moment(booking.startsAt, booking.zone)}: {pounds(booking.refundAmount)} back (
              {booking.refundPercent}%)
            </Text>
          </li>
        ))}
      </ul>
    </Box>
  );
};

/**
 * The dialog that deletes the account. It first says what happens to bookings and money.
 * @param onLeave called before the page is left, so that it does not complain that nobody is signed in
 */
export const DeleteAccountDialog = ({ onClose, onLeave }: { onClose: () => void; onLeave: () => void }) => {
  const [sure, setSure] = useState(false);
  const remove = useDeleteProfile();
  const navigate = useNavigate();
  const leave = (path: string) => {
    onLeave();
    navigate(path, { replace: true });
    sessionEnded();
  };
  const run = () =>
    remove.mutate(undefined, {
      onSuccess: () => leave('/profile-deleted'),
      onError: (error) => {
        if (isUnauthorized(error)) {
          complain('Unauthorized', 'You are logged out. Please sign in again.');
          setTimeout(() => leave('/auth'), REDIRECT_AFTER);
        } else complain('Error', 'Failed to delete profile. Please try again.');
      },
    });
  return (
    <Dialog open onClose={onClose} title="Delete your account?" width={540}>
      <Text>
        Your profile, bookings and tickets go for good. Nobody can bring them back, and neither can we: the
        key that makes them readable is destroyed.
      </Text>
      <Consequences />
      <Check
        label="I understand that this can’t be undone"
        checked={sure}
        onChange={(event) => setSure(event.target.checked)}
      />
      <Box>
        <Row gap="$12" justifyContent="flex-end" flexWrap="wrap">
          <Button kind="outline" onClick={onClose}>
            Keep my account
          </Button>
          <Button kind="danger" disabled={!sure} busy={remove.isPending} busyText="Deleting..." onClick={run}>
            Delete my account
          </Button>
        </Row>
      </Box>
    </Dialog>
  );
};
