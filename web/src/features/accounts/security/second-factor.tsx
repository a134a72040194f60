import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { User } from '#domain/contracts/auth.ts';
import { securityCalls } from '#domain/contracts/security.ts';
import { useAnswer } from '#web/lib/api/use-answer.ts';
import { takeWayBack, wayBack } from '#web/lib/way-back.ts';
import { TryAgain } from '#web/ui/not-loaded.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { Enrol } from './enrol.tsx';
import { Enrolled } from './enrolled.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

export const SecondFactor = ({ user }: { user: User }) => {
  const { data: status, isError, refetch } = useAnswer(securityCalls.secondFactor);
  const [codes, setCodes] = useState<readonly string[]>();
  const navigate = useNavigate();
  const kept = (): void => {
    setCodes(undefined);
    if (wayBack()) navigate(takeWayBack(), { replace: true });
  };
  if (codes) return <RecoveryCodes codes={codes} onKept={kept} />;
  if (!status && isError)
    return (
      <Notice
        tone="bad"
        alert
        title="This didn’t load"
        action={<TryAgain size="small" refetch={refetch} />}
      />
    );
  if (!status)
    return (
      <Loading label="Loading your second step">
        <Skeleton height={64} />
      </Loading>
    );
  const asksPassword = user.signInWith.includes('password');
  return status.enrolled ? (
    <Enrolled status={status} asksPassword={asksPassword} onCodes={setCodes} />
  ) : (
    <Enrol asksPassword={asksPassword} onCodes={setCodes} />
  );
};
