import { type FormEvent, useState } from 'react';
import { MISSING, supportCalls, supportCategories, supportRequest } from '#domain/contracts/support.ts';
import { useSession } from '#web/lib/api/session.ts';
import { useSite } from '#web/lib/api/site.ts';
import { useChange } from '#web/lib/api/use-change.ts';
import { check, type Problems, useForm } from '#web/lib/formatters/form.ts';
import { toast, toastError } from '#web/lib/toast.ts';
import { Box, Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field, Select, TextArea } from '#web/ui/field.tsx';

const eachOf = (problems: Problems, typed: Readonly<Record<string, string>>): Problems =>
  Object.fromEntries(
    Object.entries(problems).map(([name, problem]) => {
      if (!typed[name]?.trim()) return [name, 'Please fill this in'];
      return [name, problem && problem !== MISSING ? problem : 'Invalid email address'];
    }),
  );

export const ContactDialog = ({ onClose }: { onClose: () => void }) => {
  const { user } = useSession();
  const { contactEmail } = useSite();
  const send = useChange(supportCalls.contact, {});
  const [leaving, setLeaving] = useState(false);
  const directly = contactEmail
    ? `Please also email us directly at ${contactEmail}.`
    : 'Please also email us directly.';
  const { form, field, submit } = useForm(
    {
      name: [user?.firstName, user?.lastName].filter(Boolean).join(' '),
      email: user?.email ?? '',
      category: 'general',
      bookingId: '',
      subject: '',
      message: '',
    },
    ({ bookingId, ...typed }) => {
      const isOfBooking = typed.category === 'booking' && bookingId.trim();
      const checked = check(supportRequest, isOfBooking ? { ...typed, bookingId } : typed);
      return checked.ok ? checked : { ok: false, problems: eachOf(checked.problems, typed) };
    },
    (sent) =>
      send.mutate(sent, {
        onSuccess: ({ fallback }) =>
          fallback
            ? toast({ title: 'Message Received', description: directly, duration: 6_000 })
            : toast({ title: 'Message Sent Successfully', description: 'We reply within 24 hours.' }),
        onError: () => toast({ title: 'Message Recorded', description: directly, duration: 6_000 }),
        onSettled: onClose,
      }),
  );
  const submitComplete = (event: FormEvent<HTMLFormElement>) => {
    if (!form.name.trim() || !form.email.trim() || !form.message.trim())
      toastError('Missing Information', MISSING);
    submit(event);
  };
  const leave = () => (form.subject || form.message ? setLeaving(true) : onClose());
  return (
    <Dialog open onClose={leave} title="Contact Support" width={560} locked={send.isPending}>
      <form onSubmit={submitComplete} noValidate>
        <Box gap="$20">
          <Field label="Name" autoComplete="name" {...field('name')} />
          <Field label="Email" type="email" autoComplete="email" {...field('email')} />
          <Select
            label="Category"
            {...field('category')}
            options={Object.entries(supportCategories).map(([value, label]) => ({ value, label }))}
          />
          {form.category === 'booking' ? (
            <Field
              label="Booking Confirmation Number"
              optional
              placeholder="BK..."
              autoComplete="off"
              maxLength={50}
              {...field('bookingId')}
            />
          ) : null}
          <Field label="Subject" optional maxLength={200} {...field('subject')} />
          <TextArea label="Message" maxLength={5000} {...field('message')} />
          <Row gap="$12" justifyContent="flex-end" flexWrap="wrap">
            <Button kind="plain" onClick={leave} disabled={send.isPending}>
              Cancel
            </Button>
            <Button kind="primary" type="submit" busy={send.isPending} busyText="Sending...">
              Send message
            </Button>
          </Row>
        </Box>
      </form>
      {leaving ? (
        <ConfirmDialog
          title="Discard what you typed?"
          confirm="Discard"
          refuse="Keep editing"
          onConfirm={onClose}
          onClose={() => setLeaving(false)}
        >
          Nothing of it has been sent.
        </ConfirmDialog>
      ) : null}
    </Dialog>
  );
};
