import { useResendVerification } from '../../api/auth.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { complain, toast } from '../../ui/toast.tsx';

/** Stands in the payment form's place until the address is verified. */
export const VerifyFirst = ({ email }: { email: string }) => {
  const resend = useResendVerification();
  const send = () =>
    resend.mutate(undefined, {
      onSuccess: () => toast({ title: 'Verification Email Sent', description: `Have a look at ${email}.` }),
      onError: () => complain('Error', 'Failed to send verification email. Please try again.'),
    });
  return (
    <Notice
      tone="warn"
      title="Email Verification Required"
      action={
        <Button size="small" busy={resend.isPending} busyText="Sending..." onClick={send}>
          Resend verification email
        </Button>
      }
    >
      Please verify your email address before booking tickets. Check your inbox for a verification link.
    </Notice>
  );
};
