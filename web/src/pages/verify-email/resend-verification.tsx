import { useResendVerification } from '../../api/auth.ts';
import { Button } from '../../ui/button.tsx';
import { complain, toast } from '../../ui/toast.tsx';

/** The button that sends the verification mail to the signed-in person again. */
export const ResendVerification = ({ email }: { email: string }) => {
  const resend = useResendVerification();
  const send = () =>
    resend.mutate(undefined, {
      onSuccess: () => toast({ title: 'Verification Email Sent', description: `Have a look at ${email}.` }),
      onError: () => complain('Error', 'Failed to send verification email. Please try again.'),
    });
  return (
    <Button size="small" busy={resend.isPending} busyText="Sending..." onClick={send}>
      Resend verification email
    </Button>
  );
};
