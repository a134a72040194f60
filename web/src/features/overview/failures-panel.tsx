import { useRef } from 'react';
import { type Failure, failureCalls } from '#domain/contracts/admin-failures.ts';
import { useAnswer } from '#web/lib/api/use-answer.ts';
import { useChange } from '#web/lib/api/use-change.ts';
import { useKeptFocus } from '#web/lib/kept-focus.ts';
import { Box, Panel } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import { type Column, instant } from '#web/ui/list/columns.tsx';
import { NotLoaded } from '#web/ui/not-loaded.tsx';
import { Heading } from '#web/ui/text.tsx';

const kinds = {
  job: 'Job',
  mail: 'Mail',
  refund: 'Refund',
  event: 'Event',
  log: 'Log',
  webhook: 'Webhook',
} as const;

const columns: readonly Column<Failure>[] = [
  { header: 'What', card: 'head', cell: ({ kind, what }) => `${kinds[kind]}: ${what.replaceAll('-', ' ')}` },
  { header: 'About', cell: ({ about }) => about || '-' },
  { header: 'Reason', cell: ({ reason }) => reason },
  { header: 'Tries', align: 'end', cell: ({ tries }) => tries },
  instant('Since', ({ since }) => since),
];

const Retry = ({ kind, id, what }: Failure & { kind: Exclude<Failure['kind'], 'log' | 'webhook'> }) => {
  const retry = useChange(failureCalls.retry, {
    params: { kind, id },
    stale: [failureCalls.list],
    done: ({ message }) => ({ title: message, description: what }),
    failed: 'Failed to try it again',
  });
  return (
    <Button
      kind="plain"
      size="compact"
      aria-label={`Try ${what} again`}
      busy={retry.isPending}
      busyText="Trying..."
      onClick={() => retry.mutate(undefined)}
    >
      Try again
    </Button>
  );
};

export const FailuresPanel = () => {
  const { data, error, refetch } = useAnswer(failureCalls.list);
  const top = useRef<HTMLDivElement>(null);
  const keptFocus = useKeptFocus(top);
  if (error && !data) return <NotLoaded what="What keeps failing" {...{ error, refetch }} />;
  if (!data || data.length === 0) return null;
  return (
    <Panel padding="$20" gap="$12" $md={{ padding: '$24' }} {...keptFocus}>
      <Box ref={top} tabIndex={-1}>
        <Heading size="title">What keeps failing</Heading>
      </Box>
      <DataTable
        label="What keeps failing"
        columns={columns}
        rows={data}
        actions={(row) =>
          row.canRetry && row.kind !== 'log' && row.kind !== 'webhook'
            ? [<Retry key="retry" {...row} kind={row.kind} />]
            : []
        }
        skeletons={1}
      />
    </Panel>
  );
};
