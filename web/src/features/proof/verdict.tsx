import { count } from '#web/lib/formatters/count.ts';
import { sayFailure } from '#web/lib/formatters/failure.ts';
import { toastError } from '#web/lib/toast.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Box, Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Text } from '#web/ui/text.tsx';
import { Fold } from '#web/ui/timeline.tsx';
import { type Checked, saveReceipt, saveReceiptAsJson } from './proofs.ts';

const badges = {
  proven: { tone: 'good', words: 'Proven' },
  unproven: { tone: 'bad', words: 'Not proven' },
  rewritten: { tone: 'bad', words: 'The log was replaced' },
  unable: { tone: 'warn', words: 'Can’t be checked here' },
} as const;

const explained = ({ verdict, size }: Checked): string => {
  switch (verdict) {
    case 'proven':
      return `Your browser has checked it against the signed checkpoint of ${count(size)} entries. Nobody can change or remove it without being found out.`;
    case 'unproven':
      return 'What the site shows does not fit what was signed. Please keep the receipt and contact us.';
    case 'rewritten':
      return 'The log no longer begins with what this browser saw signed before. Please keep the receipt and contact us.';
    case 'unable':
      return 'This browser can’t check signatures. Keep the receipt: anybody can check it elsewhere.';
  }
};

const keep = (saving: Promise<string>): void => {
  saving.catch((error: unknown) =>
    toastError('Download Failed', sayFailure(error, 'The receipt couldn’t be made. Please try again.')),
  );
};

export const Verdict = ({ checked, subject, name }: { checked: Checked; subject: string; name: string }) => {
  const { tone, words } = badges[checked.verdict];
  const { receipt, keys } = checked;
  return (
    <Box gap="$12" paddingBottom="$16">
      <Badge tone={tone}>{words}</Badge>
      <Text strong figures>
        {`${subject} is entry ${count(receipt.index + 1)} of the log.`}
      </Text>
      <Text size="small">{explained(checked)}</Text>
      <Row>
        <Button size="small" onClick={() => keep(saveReceipt(checked, name))}>
          Keep the receipt
        </Button>
      </Row>
      <Fold title="How to check it without us">
        <Box gap="$12">
          <Text size="small">
            The receipt is a page that checks itself in any browser, also without a network. It holds the
            entry, its path to the signed checkpoint, and the checkpoint. With our public key the program
            verify-log checks it too:
          </Text>
          <pre className="code">{`npx verify-log --key ${keys[0]} --receipt ${name}.html`}</pre>
          <Row>
            <Button kind="outline" size="small" onClick={() => keep(saveReceiptAsJson(checked, name))}>
              Save it for programs
            </Button>
          </Row>
          <Text size="small" tone="dim">
            The checkpoint that it was checked against:
          </Text>
          <pre className="code">{receipt.checkpoint}</pre>
        </Box>
      </Fold>
    </Box>
  );
};
