import { useState } from 'react';
import { downloadOwnData } from '#web/features/accounts/use-profile.ts';
import { isUnauthorized } from '#web/lib/api/client.ts';
import { sessionEnded } from '#web/lib/api/session.ts';
import { sayFailure } from '#web/lib/formatters/failure.ts';
import { toast, toastError } from '#web/lib/toast.ts';
import { TextButton } from '#web/ui/link.tsx';

export const OwnData = () => {
  const [busy, setBusy] = useState(false);
  const download = async () => {
    if (busy) return;
    setBusy(true);
    try {
      const name = await downloadOwnData();
      toast({ title: 'Your data is saved', description: `All that we hold on you is in ${name}.` });
    } catch (error) {
      if (isUnauthorized(error)) {
        toastError('Authentication Required', 'Please sign in to download your data.');
        sessionEnded();
      } else toastError('Download Failed', sayFailure(error, 'No answer came. Please try again.'));
    }
    setBusy(false);
  };
  return <TextButton onClick={download}>{busy ? 'Getting your data...' : 'Download my data'}</TextButton>;
};
