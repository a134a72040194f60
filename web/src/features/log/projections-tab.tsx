import {
  type ParkedEvent,
  type ProjectionWork,
  projectionCalls,
  type ReadModelSet,
} from '#domain/contracts/admin-projections.ts';
import { useChange } from '#web/lib/api/use-change.ts';
import { count } from '#web/lib/formatters/count.ts';
import { exactly } from '#web/lib/formatters/event.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Box, Panel, Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import { type Column, instant } from '#web/ui/list/columns.tsx';
import { Facts } from '#web/ui/log.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ShareBar } from '#web/ui/share-bar.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Heading, Text } from '#web/ui/text.tsx';
import { useProjections } from './projections.ts';

const NAMES = {
  live: 'Live: what everybody reads',
  next: 'Built beside: waits to be switched to',
  previous: 'Replaced: can be taken back',
} as const;

const WORDS = {
  check: 'Rebuild and compare',
  build: 'Build anew beside the live ones',
  switch: 'Switch to what was built',
  replace: 'Switch though rows differ',
  'switch-back': 'Take the replaced ones back',
  'retry-parked': 'Try parked events again',
} as const;

const PHASES: Readonly<Record<string, string>> = {
  load: 'Reading the log',
  index: 'Making indexes',
  'catch-up': 'Catching up',
  compare: 'Comparing row by row',
  switch: 'Switching',
};

const setColumns: readonly Column<ReadModelSet & { id: string }>[] = [
  { header: 'Read models', card: 'head', cell: ({ name }) => NAMES[name] },
  { header: 'Position', align: 'end', cell: ({ position }) => position.replace(/^0+/, '') || '0' },
  {
    header: 'Behind',
    align: 'end',
    cell: ({ behind, otherLog }) => {
      if (otherLog) return 'Of another log';
      return behind >= 10_000 ? '10,000 events or more' : `${count(behind)} events`;
    },
  },
  { header: 'Last event', cell: ({ eventAt }) => (eventAt ? exactly(eventAt) : '-') },
  { header: 'Parked', align: 'end', cell: ({ parked }) => count(parked) },
];

const parkedColumns: readonly Column<ParkedEvent>[] = [
  { header: 'Event', card: 'head', cell: ({ type, stream }) => `${type} in ${stream}` },
  { header: 'Position', align: 'end', cell: ({ position }) => position.replace(/^0+/, '') },
  { header: 'Why', cell: ({ error }) => error ?? 'Waits behind another one' },
  { header: 'Tries', align: 'end', cell: ({ tries }) => tries },
  instant('Since', ({ parkedAt }) => parkedAt),
];

const UnderWay = ({ kind, phase, events, fraction, expectedAt }: ProjectionWork) => (
  <Box gap="$8">
    <Row gap="$12" flexWrap="wrap">
      <Badge tone="warn">{WORDS[kind]}</Badge>
      <Text size="small" figures role="status">
        {[
          phase ? (PHASES[phase] ?? phase) : 'Waits for a projector',
          ...(events ? [`${count(events)} events`] : []),
          ...(fraction === null ? [] : [`${Math.floor(fraction * 100)}%`]),
          ...(expectedAt ? [`read until about ${exactly(expectedAt)}`] : []),
        ].join(', ')}
      </Text>
    </Row>
    {fraction === null ? null : <ShareBar share={fraction} />}
  </Box>
);

const Ask = ({ kind, busy }: { kind: ProjectionWork['kind']; busy: boolean }) => {
  const ask = useChange(projectionCalls.ask, {
    stale: [projectionCalls.overview],
    done: ({ message }) => ({ title: message, description: WORDS[kind] }),
    failed: 'The projector could not be asked',
  });
  return (
    <Button
      kind="outline"
      size="compact"
      disabled={busy}
      busy={ask.isPending}
      busyText="Asking..."
      onClick={() => ask.mutate({ kind })}
    >
      {WORDS[kind]}
    </Button>
  );
};

export const ProjectionsTab = () => {
  const { data, error } = useProjections();
  if (error && !data) return <Notice tone="bad" alert title="The read models didn’t load" />;
  if (!data) return <Skeleton height={320} />;
  const { sets, parked, work } = data;
  const has = (name: ReadModelSet['name']): boolean => sets.some((set) => set.name === name);
  const [newest] = work;
  const busy = newest?.endedAt === null;
  const offered: readonly ProjectionWork['kind'][] = [
    'check',
    'build',
    ...(has('next') ? (['switch', 'replace'] as const) : []),
    ...(has('previous') ? (['switch-back'] as const) : []),
    ...(parked.length > 0 ? (['retry-parked'] as const) : []),
  ];
  return (
    <Box gap="$24">
      <Panel padding="$20" gap="$20" $md={{ padding: '$24' }}>
        <Heading size="title">Read models</Heading>
        <DataTable
          label="Read models"
          columns={setColumns}
          rows={sets.map((set) => ({ ...set, id: set.name }))}
        />
        {busy && newest ? <UnderWay {...newest} /> : null}
        <Row gap="$8" flexWrap="wrap">
          {offered.map((kind) => (
            <Ask key={kind} kind={kind} busy={busy} />
          ))}
        </Row>
        <Text size="small" tone="dim">
          The site goes on serving meanwhile. A switch compares once more; where the folds are the same, a row
          that differs stops it.
        </Text>
      </Panel>
      {parked.length > 0 ? (
        <Panel padding="$20" gap="$16" $md={{ padding: '$24' }}>
          <Heading size="title">Parked events</Heading>
          <DataTable label="Parked events" columns={parkedColumns} rows={parked} />
        </Panel>
      ) : null}
      <Panel padding="$20" gap="$16" $md={{ padding: '$24' }}>
        <Heading size="title">Versions</Heading>
        <Facts
          facts={Object.entries(sets[0]?.versions ?? {})
            .sort(([a], [b]) => a.localeCompare(b))
            .map(([name, version]) => [name, `version ${version}`])}
        />
      </Panel>
      {work.some(({ endedAt }) => endedAt) ? (
        <Panel padding="$20" gap="$16" $md={{ padding: '$24' }}>
          <Heading size="title">What was done</Heading>
          <Facts
            facts={work
              .filter(({ endedAt }) => endedAt)
              .map(({ id, kind, endedAt, outcome, failed }) => [
                `${id}. ${WORDS[kind]}`,
                `${exactly(endedAt ?? '')}: ${failed ? 'failed: ' : ''}${outcome ?? ''}`,
              ])}
          />
        </Panel>
      ) : null}
    </Box>
  );
};
