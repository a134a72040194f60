import {
  type AdminRefund,
  DEFAULT_APPROVAL,
  processRefundRequest,
  refundCalls,
} from '#domain/contracts/refunds.ts';
import { useChange } from '#web/lib/api/use-change.ts';
import { check } from '#web/lib/formatters/form.ts';
import { pounds } from '#web/lib/formatters/money.ts';
import { Box } from '#web/ui/box.tsx';
import { TextArea } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form/form-dialog.tsx';
import { Heading, Text } from '#web/ui/text.tsx';
import { approvalQuote } from './refund-quote.ts';

/** `reset` returns a refund to review. */
export type Decision = 'approve' | 'deny' | 'reset';

const words = {
  approve: { title: 'Approve this refund?', done: 'Refund approved and processed', approved: true },
  deny: { title: 'Deny this refund?', done: 'Refund denied', approved: false },
  reset: { title: 'Reset this refund?', done: 'Refund status reset successfully', approved: null },
} as const;

export const DecideRefund = ({
  refund,
  decision,
  onClose,
}: {
  refund: AdminRefund;
  decision: Decision;
  onClose: () => void;
}) => {
  const { title, done, approved } = words[decision];
  const change = useChange(refundCalls.process, {
    params: { id: refund.id },
    draft: `refund ${refund.id} ${decision}`,
    stale: [refundCalls.list],
    done: () => ({ title: done, description: `${refund.bookingReference}, ${refund.eventTitle ?? ''}` }),
    failed: 'Failed to process refund',
  });
  const amount = pounds(approvalQuote(refund));
  return (
    <FormDialog
      title={title}
      blank={{ notes: '' }}
      check={({ notes }) =>
        check(processRefundRequest, {
          approved,
          status: refund.status,
          notes: notes.trim() || (decision === 'approve' ? DEFAULT_APPROVAL : undefined),
        })
      }
      submit={{ approve: `Refund ${amount}`, deny: 'Deny this refund', reset: 'Reset to review' }[decision]}
      busyText="Working..."
      danger={decision === 'deny'}
      endsAtConflict
      {...{ change, onClose }}
    >
      {({ field }) => (
        <>
          <Box>
            <Text tone="dim">{`${refund.bookingReference} · ${refund.userEmail ?? 'Deleted account'}`}</Text>
            <Heading render="p" size="headline" figures>
              {amount}
            </Heading>
            <Text size="small" tone="dim" figures>
              {`of ${pounds(refund.paidAmount)} paid`}
            </Text>
          </Box>
          {refund.refundReason ? <Text>{`“${refund.refundReason}”`}</Text> : null}
          {decision === 'reset' ? null : (
            <TextArea
              label={decision === 'deny' ? 'Why is it denied?' : 'Notes'}
              hint={
                decision === 'deny'
                  ? 'The customer reads this, on the site and by email.'
                  : 'For the refund list; the customer doesn’t see them.'
              }
              optional={decision === 'approve'}
              maxLength={1000}
              {...field('notes')}
            />
          )}
        </>
      )}
    </FormDialog>
  );
};
