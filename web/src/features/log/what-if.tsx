import { useState } from 'react';
import { type WhatIf as Outcome, replayCalls } from '#domain/contracts/replay.ts';
import { REFUND_POLICY } from '#domain/kernel/policy.ts';
import { call } from '#web/lib/api/client.ts';
import { loggedOut } from '#web/lib/api/logged-out.ts';
import { count } from '#web/lib/formatters/count.ts';
import { sayFailure } from '#web/lib/formatters/failure.ts';
import { pounds } from '#web/lib/formatters/money.ts';
import { toastError } from '#web/lib/toast.ts';
import { Box, Panel, Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import { Field } from '#web/ui/field.tsx';
import { type Column, money } from '#web/ui/list/columns.tsx';
import { Facts, LogFilters } from '#web/ui/log.tsx';
import { Heading, Text } from '#web/ui/text.tsx';

const columns: readonly Column<Outcome['cases'][number] & { id: number }>[] = [
  { header: 'Booking', card: 'head', cell: ({ reference }) => reference },
  { header: 'Hours before', align: 'end', cell: ({ hours }) => count(hours) },
  money('Paid', ({ paid }) => paid),
  money('Paid back', ({ was }) => was),
  money('Would have been', ({ would }) => would),
];

const Result = ({ cancellations, differing, was, would, cases }: Outcome) => (
  <Box gap="$16">
    <Facts
      facts={[
        ['Cancellations', `${count(cancellations)}, of which ${count(differing)} would have ended otherwise`],
        ['Paid back', pounds(was)],
        ['Would have been', pounds(would)],
      ]}
    />
    {cases.length > 0 ? (
      <DataTable
        label="The greatest differences"
        columns={columns}
        rows={cases.map((one) => ({ ...one, id: one.bookingId }))}
      />
    ) : null}
  </Box>
);

export const WhatIf = () => {
  const [steps, setSteps] = useState(
    REFUND_POLICY.map(({ hours, percent }) => ({ hours: `${hours}`, percent: `${percent}` })),
  );
  const [result, setResult] = useState<Outcome>();
  const [busy, setBusy] = useState(false);
  const ask = async () => {
    setBusy(true);
    try {
      const policy = steps.map(({ hours, percent }) => `${hours}:${percent}`).join(',');
      setResult(await call(replayCalls.whatIf, { query: { policy } }));
    } catch (error) {
      if (!loggedOut(error)) toastError('It could not be played', sayFailure(error));
    }
    setBusy(false);
  };
  const field = (index: number, name: 'hours' | 'percent', label: string) => (
    <Field
      label={label}
      type="number"
      min={0}
      max={name === 'percent' ? 100 : 99_999}
      required
      value={steps[index]?.[name] ?? ''}
      onChange={({ target: { value } }) =>
        setSteps(steps.map((step, at) => (at === index ? { ...step, [name]: value } : step)))
      }
    />
  );
  return (
    <Panel padding="$20" gap="$20" $md={{ padding: '$24' }}>
      <Box gap="$4">
        <Heading size="title">What if the refund policy had been another</Heading>
        <Text size="small" tone="dim">
          All cancellations by customers so far, decided again under this policy; whoever cancels later than
          both steps gets nothing back. Events that were moved, and cancellations by staff, are left out: the
          policy does not decide them. Nothing is changed.
        </Text>
      </Box>
      <LogFilters onSubmit={ask}>
        {field(0, 'hours', 'First step: hours before')}
        {field(0, 'percent', 'First step: % paid back')}
        {field(1, 'hours', 'Second step: hours before')}
        {field(1, 'percent', 'Second step: % paid back')}
        <Row minHeight={52}>
          <Button type="submit" kind="outline" busy={busy} busyText="Playing the past...">
            Play the past
          </Button>
        </Row>
      </LogFilters>
      {result ? <Result {...result} /> : null}
    </Panel>
  );
};
