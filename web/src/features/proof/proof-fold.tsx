import type { Ref } from 'react';
import { sayFailure } from '#web/lib/formatters/failure.ts';
import { Text } from '#web/ui/text.tsx';
import type { Checked } from './proofs.ts';
import { Verdict } from './verdict.tsx';

export const ProofFold = ({
  open,
  onOpen,
  proof: { data, error },
  subject,
  name,
  ref,
}: {
  open: boolean;
  onOpen: (open: boolean) => void;
  proof: { readonly data: Checked | undefined; readonly error: Error | null };
  subject: string;
  name: string;
  ref?: Ref<HTMLDetailsElement>;
}) => (
  <details ref={ref} className="fold" open={open} onToggle={(event) => onOpen(event.currentTarget.open)}>
    <summary>Proof that it is in our log</summary>
    {data ? (
      <Verdict checked={data} subject={subject} name={name} />
    ) : (
      <Text size="small" tone="dim" role="status">
        {error
          ? sayFailure(error, 'The proof didn’t load. Fold and unfold to try again.')
          : open
            ? 'Checking the proof…'
            : null}
      </Text>
    )}
  </details>
);
