import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { sayFailure } from '../words/failure.ts';

/** Stands in place of what did not load: says so and why, and asks again. */
export const NotLoaded = ({
  what,
  error,
  refetch,
}: {
  /** What it is, at the beginning of a sentence: "The figures". */
  what: string;
  error: unknown;
  refetch: () => void;
}) => (
  <Notice
    tone="bad"
    alert
    title={`${what} didn’t load`}
    action={
      <Button size="compact" onClick={() => refetch()}>
        Try again
      </Button>
    }
  >
    {sayFailure(error, 'Please try again.')}
  </Notice>
);
