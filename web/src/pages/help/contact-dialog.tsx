import { type FormEvent, useState } from 'react';
import { SUPPORT_CATEGORIES, supportRequest } from '#domain/contracts/support.ts';
import { useSession } from '../../api/auth.ts';
import { useSite } from '../../api/site.ts';
import { useContactSupport } from '../../api/support.ts';
import { Box, Row } from '../../ui/box.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Select, TextArea } from '../../ui/field.tsx';
import { complain, toast } from '../../ui/toast.tsx';
import { check, focusFirstProblem, type Problems } from '../../words/form.ts';

const labels: Record<(typeof SUPPORT_CATEGORIES)[number], string> = {
  general: 'A general question',
  booking: 'A booking',
  payment: 'A payment or refund',
  technical: 'Something doesn’t work',
  account: 'My account',
  other: 'Something else',
};

/** Writes to support. Whatever happens the form is cleared, and the toast says what to do. */
export const ContactDialog = ({ onClose }: { onClose: () => void }) => {
  const { user } = useSession();
  const { contactEmail } = useSite();
  const [form, setForm] = useState({
    name: [user?.firstName, user?.lastName].filter(Boolean).join(' '),
    email: user?.email ?? '',
    category: 'general' as (typeof SUPPORT_CATEGORIES)[number],
    bookingId: '',
    subject: '',
    message: '',
  });
  const [problems, setProblems] = useState<Problems<string>>({});
  const send = useContactSupport();
  const set = (name: keyof typeof form) => (event: { target: { value: string } }) =>
    setForm({ ...form, [name]: event.target.value });
  const directly = contactEmail
    ? `Please also email us directly at ${contactEmail}.`
    : 'Please also email us directly.';
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!form.name.trim() || !form.email.trim() || !form.message.trim()) {
      complain('Missing Information', 'Please fill in all required fields.');
      return focusFirstProblem(event.currentTarget);
    }
    const { bookingId, ...rest } = form;
    const sent = form.category === 'booking' && bookingId.trim() ? { ...rest, bookingId } : rest;
    const checked = check(supportRequest, sent);
    setProblems(checked.ok ? {} : checked.problems);
    if (!checked.ok) return focusFirstProblem(event.currentTarget);
    send.mutate(checked.value, {
      onSuccess: ({ fallback }) =>
        fallback
          ? toast({ title: 'Message Received', description: directly, duration: 6_000 })
          : toast({ title: 'Message Sent Successfully', description: 'We reply within 24 hours.' }),
      onError: () => toast({ title: 'Message Recorded', description: directly, duration: 6_000 }),
      onSettled: onClose,
    });
  };
  return (
    <Dialog open onClose={onClose} title="Contact Support" width={560}>
      <form onSubmit={submit} noValidate>
        <Box gap="$20">
          <Field
            label="Name"
            autoComplete="name"
            value={form.name}
            error={problems.name}
            onChange={set('name')}
          />
          <Field
            label="Email"
            type="email"
            autoComplete="email"
            value={form.email}
            error={problems.email}
            onChange={set('email')}
          />
          <Select
            label="Category"
            value={form.category}
            options={SUPPORT_CATEGORIES.map((value) => ({ value, label: labels[value] }))}
            onChange={(event) =>
              setForm({
                ...form,
                category: SUPPORT_CATEGORIES.find((one) => one === event.target.value) ?? 'general',
              })
            }
          />
          {form.category === 'booking' ? (
            <Field
              label="Booking Confirmation Number"
              optional
              placeholder="BK..."
              autoComplete="off"
              maxLength={50}
              value={form.bookingId}
              error={problems.bookingId}
              onChange={set('bookingId')}
            />
          ) : null}
          <Field
            label="Subject"
            optional
            maxLength={200}
            value={form.subject}
            error={problems.subject}
            onChange={set('subject')}
          />
          <TextArea
            label="Message"
            maxLength={5000}
            value={form.message}
            error={problems.message}
            onChange={set('message')}
          />
          <Row gap="$12" justifyContent="flex-end" flexWrap="wrap">
            <Button kind="plain" onClick={onClose}>
              Cancel
            </Button>
            <Button kind="primary" type="submit" busy={send.isPending} busyText="Sending...">
              Send message
            </Button>
          </Row>
        </Box>
      </form>
    </Dialog>
  );
};
