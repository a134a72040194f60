import { type AdminRefund, DEFAULT_APPROVAL, processRefundRequest } from '#domain/contracts/refunds.ts';
import { useProcessRefund } from '../../api/admin.ts';
import { Box, Row } from '../../ui/box.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { toast } from '../../ui/toast.tsx';
import { check, useForm } from '../../words/form.ts';
import { pounds } from '../../words/money.ts';
import { actionFailed } from './logged-out.ts';
import { approvalQuote } from './refund-quote.ts';

/** What is to be done with a refund: approve, deny, or back to review. */
export type Decision = 'approve' | 'deny' | 'reset';

const words = {
  approve: { title: 'Approve this refund?', done: 'Refund approved and processed', approved: true },
  deny: { title: 'Deny this refund?', done: 'Refund denied', approved: false },
  reset: { title: 'Reset this refund?', done: 'Refund status reset successfully', approved: null },
} as const;

/** Quotes what a decision does to the money, and carries it out. */
export const DecideRefund = ({
  refund,
  decision,
  onClose,
}: {
  refund: AdminRefund;
  decision: Decision;
  onClose: () => void;
}) => {
  const process = useProcessRefund();
  const { title, done, approved } = words[decision];
  const amount = pounds(approvalQuote(refund));
  const { field, submit } = useForm(
    { notes: '' },
    ({ notes }) =>
      check(processRefundRequest, {
        approved,
        notes: notes.trim() || (decision === 'approve' ? DEFAULT_APPROVAL : undefined),
      }),
    (sent) =>
      process.mutate(
        { id: refund.id, ...sent },
        {
          onSuccess: () => {
            onClose();
            toast({ title: done, description: `${refund.bookingReference}, ${refund.eventTitle ?? ''}` });
          },
          onError: (error) => actionFailed(error, 'Failed to process refund'),
        },
      ),
  );
  const label = { approve: `Refund ${amount}`, deny: 'Deny this refund', reset: 'Reset to review' }[decision];
  return (
    <Dialog open onClose={onClose} title={title}>
      <form onSubmit={submit} noValidate>
        <Box gap="$20">
          <Box>
            <Text tone="dim">
              {refund.bookingReference} · {refund.userEmail ?? 'Deleted account'}
            </Text>
            <Heading render="p" size="headline" figures>
              {amount}
            </Heading>
            <Text size="small" tone="dim" figures>
              of {pounds(refund.paidAmount)} paid
            </Text>
          </Box>
          {refund.refundReason ? <Text>“{refund.refundReason}”</Text> : null}
          {decision === 'reset' ? null : (
            <TextArea
              label={decision === 'deny' ? 'Why is it denied?' : 'Notes'}
              hint={
                decision === 'deny'
                  ? 'The customer reads this, on the site and by e-mail.'
                  : 'For the refund list; the customer doesn’t see them.'
              }
              optional={decision === 'approve'}
              maxLength={1000}
              {...field('notes')}
            />
          )}
          <Row gap="$12" justifyContent="flex-end" flexWrap="wrap">
            <Button kind="plain" onClick={onClose}>
              Cancel
            </Button>
            <Button
              kind={decision === 'deny' ? 'danger' : 'primary'}
              type="submit"
              busy={process.isPending}
              busyText="Working..."
            >
              {label}
            </Button>
          </Row>
        </Box>
      </form>
    </Dialog>
  );
};
