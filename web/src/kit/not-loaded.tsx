import { useLayoutEffect, useRef, useState } from 'react';
import { Button, type ButtonProps } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { sayFailure } from '../words/failure.ts';
import { focusMain } from './focus-main.ts';

export const TryAgain = ({
  refetch,
  ...look
}: { refetch: () => Promise<unknown> } & Pick<ButtonProps, 'kind' | 'size'>) => {
  const [busy, setBusy] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const { current } = button;
    return () => {
      if (document.activeElement !== current) return;
      setTimeout(() => (document.activeElement === document.body ? focusMain() : undefined));
    };
  }, []);
  const run = async () => {
    setBusy(true);
    await refetch();
    setBusy(false);
  };
  return (
    <Button size="compact" {...look} busy={busy} busyText="Trying again..." onClick={run} ref={button}>
      Try again
    </Button>
  );
};

export const NotLoaded = ({
  what,
  error,
  refetch,
}: {
  what: string;
  error: unknown;
  refetch: () => Promise<unknown>;
}) => (
  <Notice tone="bad" alert title={`${what} didn’t load`} action={<TryAgain refetch={refetch} />}>
    {sayFailure(error, 'Please try again.')}
  </Notice>
);
