import { useState } from 'react';
import { auditCalls, type LogEntry } from '#domain/contracts/audit.ts';
import { count } from '#web/lib/formatters/count.ts';
import { actorOf, exactly, factsOf, shortStream, wordsOfType } from '#web/lib/formatters/event.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Box, Panel, Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { Icon } from '#web/ui/icons.tsx';
import { ExportButton } from '#web/ui/list/list.tsx';
import { LogLine, LogLines } from '#web/ui/log.tsx';
import { NotLoaded } from '#web/ui/not-loaded.tsx';
import { EmptyState } from '#web/ui/page.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Heading, Text, Unseen } from '#web/ui/text.tsx';
import { EventDialog } from './event-dialog.tsx';
import { Filters, SEARCH_HINT } from './filters.tsx';
import { FILTERS, useLogQuery } from './log-query.ts';
import { type LogQuery, refreshLog, useLog, useLogTail } from './use-log.ts';

const Line = ({ entry, isNew, onOpen }: { entry: LogEntry; isNew?: boolean; onOpen: () => void }) => (
  <LogLine
    isNew={isNew}
    onOpen={onOpen}
    when={
      <Text size="small" tone="dim">
        {exactly(entry.recordedAt)}
      </Text>
    }
    what={
      <>
        <Text strong>{wordsOfType(entry.type)}</Text>
        <Text size="small">{shortStream(entry.stream)}</Text>
        <Text size="small" tone="dim">
          {factsOf(entry)}
        </Text>
      </>
    }
    who={
      <Text size="small" tone="dim">
        {`by ${actorOf(entry)}`}
      </Text>
    }
  />
);

const found = (number: number, hasMore: boolean): string =>
  hasMore ? `${count(number)} or more events` : `${count(number)} event${number === 1 ? '' : 's'}`;

export const LogTab = () => {
  const { query, event, open, narrow } = useLogQuery();
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = useLog(query);
  const [live, setLive] = useState(false);
  const tail = useLogTail(query, live);
  const listed = data?.pages.flatMap(({ items }) => items);
  const known = new Set(listed?.map(({ id }) => id));
  const news = tail.entries.filter(({ id }) => !known.has(id));
  const follow = (on: boolean): void => {
    setLive(on);
    // The list then includes events from the tail, and the tail those missed by the list.
    refreshLog(query);
  };
  const show = (next: LogQuery): void => {
    if (FILTERS.every((name) => (next[name] ?? '').trim() === (query[name] ?? ''))) refreshLog(query);
    else narrow(next);
  };
  return (
    <Panel padding="$20" gap="$20" $md={{ padding: '$24' }}>
      <Row justifyContent="space-between" gap="$12" flexWrap="wrap">
        <Heading size="title">Everything that happened</Heading>
        <Row gap="$8" flexWrap="wrap">
          <ExportButton call={auditCalls.exportNdjson} query={query} noun="log" words="Export NDJSON" />
          <ExportButton call={auditCalls.exportCsv} query={query} noun="log" words="Export CSV" />
        </Row>
      </Row>
      <Filters query={query} onNarrow={show} />
      <Text size="small" tone="dim">
        {`${SEARCH_HINT} Every question that you ask of the log is recorded in it.`}
      </Text>
      <Row gap="$8" flexWrap="wrap">
        <Chip on={live} onClick={() => follow(!live)}>
          <Icon name="refresh" size={16} />
          <span>Live</span>
        </Chip>
        {live ? (
          <Chip on={tail.waiting !== undefined} onClick={() => tail.pause(tail.waiting === undefined)}>
            <span>{tail.waiting === undefined ? 'Pause' : `Paused, ${count(tail.waiting)} new`}</span>
          </Chip>
        ) : null}
        <Row gap="$8" role="status">
          {live && !tail.connected ? <Badge tone="warn">Connecting</Badge> : null}
          {tail.skipped > 0 ? <Badge>{`${count(tail.skipped)} more came than are shown`}</Badge> : null}
        </Row>
        {/* What a question finds is heard; what comes in later would be heard without end. */}
        <div role="status">
          <Unseen>{listed ? found(listed.length, hasNextPage) : ''}</Unseen>
        </div>
      </Row>
      {error && !data ? (
        <NotLoaded what="The log" {...{ error, refetch }} />
      ) : listed && listed.length + news.length === 0 ? (
        <EmptyState level="h3" title="Nothing in the log matches">
          Try fewer filters. Free text finds only what is not sealed.
        </EmptyState>
      ) : listed ? (
        <LogLines label="Events, the newest first">
          {news.map((entry) => (
            <Line key={entry.id} entry={entry} isNew onOpen={() => open(entry.id)} />
          ))}
          {listed.map((entry) => (
            <Line key={entry.id} entry={entry} onOpen={() => open(entry.id)} />
          ))}
        </LogLines>
      ) : (
        <Box gap="$16">
          <Skeleton height={40} />
          <Skeleton height={40} />
          <Skeleton height={40} />
        </Box>
      )}
      {hasNextPage ? (
        <Button
          kind="outline"
          busy={isFetchingNextPage}
          busyText="Loading older events..."
          onClick={() => fetchNextPage()}
        >
          Show older events
        </Button>
      ) : null}
      {event ? <EventDialog id={event} onOpen={open} onNarrow={narrow} /> : null}
    </Panel>
  );
};
