import { hasCode } from '../../api/client.ts';
import { useResendVerification } from '../../api/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { complain, toast } from '../../ui/toast.tsx';

export const ResendVerification = ({ email }: { email: string }) => {
  const resend = useResendVerification();
  const failed = (error: unknown): void => {
    if (hasCode(error, 'ALREADY_VERIFIED'))
      toast({ title: 'Email verified', description: 'Your address is confirmed. You can book tickets now.' });
    else complain('Error', 'Failed to send verification email. Please try again.');
  };
  const send = () =>
    resend.mutate(undefined, {
      onSuccess: () => toast({ title: 'Verification Email Sent', description: `Have a look at ${email}.` }),
      onError: failed,
    });
  return (
    <Button size="small" busy={resend.isPending} busyText="Sending..." onClick={send}>
      Resend verification email
    </Button>
  );
};
