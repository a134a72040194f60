import { useState } from 'react';
import { sessionEnded } from '../../api/auth.ts';
import { isUnauthorized } from '../../api/client.ts';
import { downloadOwnData } from '../../api/profile.ts';
import { TextButton } from '../../ui/link.tsx';
import { complain, toast } from '../../ui/toast.tsx';
import { sayFailure } from '../../words/failure.ts';

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
        complain('Authentication Required', 'Please sign in to download your data.');
        sessionEnded();
      } else complain('Download Failed', sayFailure(error, 'No answer came. Please try again.'));
    }
    setBusy(false);
  };
  return <TextButton onClick={download}>{busy ? 'Getting your data...' : 'Download my data'}</TextButton>;
};
