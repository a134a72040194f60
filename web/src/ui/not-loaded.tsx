import { useLayoutEffect, useRef, useState } from 'react';
import { focusMain } from '#web/lib/focus-main.ts';
import { sayFailure } from '#web/lib/formatters/failure.ts';
import { Button, type ButtonProps } from './button.tsx';
import { Notice } from './notice.tsx';

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
