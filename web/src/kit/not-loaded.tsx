import { useLayoutEffect, useRef, useState } from 'react';
import { Button, type ButtonProps } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { sayFailure } from '../words/failure.ts';
import { focusMain } from './focus-main.ts';

/** Asks again for what did not load, and goes with its answer: the focus then comes to the page's content, unless the list takes it. */
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

/** Stands in place of what did not load: says so and why, and asks again. */
export const NotLoaded = ({
  what,
  error,
  refetch,
}: {
  /** What it is, at the beginning of a sentence: "The figures". */
  what: string;
  error: unknown;
  refetch: () => Promise<unknown>;
}) => (
  <Notice tone="bad" alert title={`${what} didn’t load`} action={<TryAgain refetch={refetch} />}>
    {sayFailure(error, 'Please try again.')}
  </Notice>
);
