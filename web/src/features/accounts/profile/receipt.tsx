import type { ErasureReceipt } from '#domain/contracts/profile.ts';
import { useErasureReceipt } from '#web/features/accounts/use-profile.ts';
import { saveFile } from '#web/lib/api/save-file.ts';
import { moment } from '#web/lib/formatters/when.ts';
import { Box, Panel } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { TryAgain } from '#web/ui/not-loaded.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Heading, Text } from '#web/ui/text.tsx';

const many = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const listed = new Intl.ListFormat('en-GB');

const erasure = ({ erasedAt, askedAt, destroyed: { sessions, mails } }: ErasureReceipt): string => {
  if (!erasedAt)
    return `Asked for on ${moment(askedAt)}. Your data is deleted once the last mails to you are sent.`;
  const gone = ['your profile', 'your password'];
  if (sessions > 0) gone.push(many(sessions, 'open session'));
  if (mails > 0) gone.push(`our ${mails === 1 ? 'copy' : 'copies'} of ${many(mails, 'mail')}`);
  return `On ${moment(erasedAt)} the key was destroyed that made your data readable, and with it ${listed.format(gone)}.`;
};

const filesOf = ({ files, cleanedAt }: ErasureReceipt): string =>
  ({
    clean: `The database’s own files hold nothing of it either, since ${cleanedAt ? moment(cleanedAt) : 'then'}.`,
    'being-cleaned':
      'The database’s own files still hold remains of it. They are being cleaned, which takes some minutes.',
    'by-operator':
      'The database’s own files may hold remains of it until our operators have cleaned them (“After an erasure”, docs/operations/backup-and-restore.md).',
  })[files];

const asFile = (receipt: ErasureReceipt): Response =>
  new Response(`${JSON.stringify(receipt, null, 2)}\n`, {
    headers: {
      'Content-Disposition': `attachment; filename="receipt-${receipt.id}.json"`,
      'Content-Type': 'application/json',
    },
  });

export const Receipt = ({ name }: { name: string }) => {
  const { data: receipt, isError, refetch } = useErasureReceipt(name);
  if (!receipt && isError)
    return (
      <Notice tone="bad" title="The receipt didn’t load" action={<TryAgain size="small" refetch={refetch} />}>
        {`Its name is ${name}.`}
      </Notice>
    );
  if (!receipt) return <Skeleton height={220} />;
  return (
    <Panel gap="$12">
      <Heading render="h2" size="lead">
        Receipt
      </Heading>
      <Text strong figures>
        {receipt.id}
      </Text>
      <Text>{erasure(receipt)}</Text>
      <Text>
        {`Kept for accounting: amounts, dates and events of ${many(receipt.kept.bookings, 'booking')}, with the payment provider’s numbers.`}
      </Text>
      <Text>{filesOf(receipt)}</Text>
      <Text size="small" tone="dim">
        It names nobody. Keep it, and quote its name if you ever write to us about the deletion.
      </Text>
      <Box alignItems="flex-start">
        <Button size="small" onClick={() => saveFile(asFile(receipt))}>
          Download receipt
        </Button>
      </Box>
    </Panel>
  );
};
