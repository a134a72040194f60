import { useResendVerification } from '#web/features/accounts/use-sign-in.ts';
import { hasCode } from '#web/lib/api/client.ts';
import { toast, toastError } from '#web/lib/toast.ts';
import { Button } from '#web/ui/button.tsx';

export const ResendVerification = ({ email }: { email: string }) => {
  const resend = useResendVerification();
  const failed = (error: unknown): void => {
    if (hasCode(error, 'ALREADY_VERIFIED'))
      toast({ title: 'Email verified', description: 'Your address is confirmed. You can book tickets now.' });
    else toastError('Error', 'Failed to send verification email. Please try again.');
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
