import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { LogEntry } from '#domain/contracts/audit.ts';
import { MOST_STEPS, replayCalls } from '#domain/contracts/replay.ts';
import { useAnswer } from '#web/lib/api/use-answer.ts';
import { actorOf, exactly, factsOf, shortStream, wordsOfType } from '#web/lib/formatters/event.ts';
import { sayFailure } from '#web/lib/formatters/failure.ts';
import { Box, Panel, Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Check, Field } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icons.tsx';
import { Bytes, Changes, LogFilters, TimeLine } from '#web/ui/log.tsx';
import { NotLoaded } from '#web/ui/not-loaded.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Heading, Text } from '#web/ui/text.tsx';
import { Fold } from '#web/ui/timeline.tsx';
import { changeInWords } from './change-in-words.ts';
import { fromField, LONGEST_FILTER, toField } from './log-query.ts';
import { WhatIf } from './what-if.tsx';

const stepAt = (steps: readonly LogEntry[], moment: string): number =>
  Math.max(0, steps.map(({ recordedAt }) => recordedAt <= moment).lastIndexOf(true));

const Step = ({ entry }: { entry: LogEntry }) => {
  const { stream, revision } = entry;
  const { data, error, refetch } = useAnswer(replayCalls.states, {
    query: { stream, revision: String(revision) },
  });
  return (
    <Box gap="$16">
      <Box gap="$4">
        <Heading render="h3" size="lead">
          {wordsOfType(entry.type)}
        </Heading>
        <Text size="small">{`${shortStream(stream)}, event ${revision + 1}`}</Text>
        <Text size="small" tone="dim" figures>
          {`${exactly(entry.recordedAt)}, by ${actorOf(entry)}`}
        </Text>
        <Text size="small" tone="dim">
          {factsOf(entry)}
        </Text>
      </Box>
      {data === undefined ? (
        error ? (
          <NotLoaded what="Its state" {...{ error, refetch }} />
        ) : (
          <Skeleton height={120} />
        )
      ) : data.after === null ? (
        <Text size="small" tone="dim">
          This stream has no state to show: nobody decides on it, it is very long, or it can’t be read.
        </Text>
      ) : (
        <>
          {data.changes.length > 0 ? (
            <Changes changes={data.changes.map(changeInWords)} />
          ) : (
            <Text size="small" tone="dim">
              It changed nothing in the state of its stream.
            </Text>
          )}
          <Fold title="The state before">
            <Bytes value={data.before} label="The state before" />
          </Fold>
          <Fold title="The state after">
            <Bytes value={data.after} label="The state after" />
          </Fold>
        </>
      )}
    </Box>
  );
};

const Player = ({ steps }: { steps: readonly LogEntry[] }) => {
  const [chosen, setChosen] = useState(steps.length - 1);
  const at = Math.min(chosen, steps.length - 1);
  const entry = steps[at];
  if (!entry) return <Text tone="dim">Nothing has happened in this stream.</Text>;
  const go = (to: number) => setChosen(Math.max(0, Math.min(steps.length - 1, to)));
  return (
    <Box gap="$20">
      <TimeLine
        label="Step"
        value={at}
        steps={steps.map(({ id, type, stream }) => ({
          id,
          words: `${wordsOfType(type)}, ${shortStream(stream)}`,
        }))}
        onChange={go}
      />
      <Row gap="$12" flexWrap="wrap" alignItems="flex-end">
        <Row gap="$8">
          <Button aria-label="The step before" disabled={at === 0} onClick={() => go(at - 1)}>
            <Icon name="back" size={18} />
          </Button>
          <Button aria-label="The next step" disabled={at === steps.length - 1} onClick={() => go(at + 1)}>
            <Icon name="arrow" size={18} />
          </Button>
          <Text size="small" figures role="status">
            {`Step ${at + 1} of ${steps.length}${steps.length === MOST_STEPS ? ' (the first ones)' : ''}`}
          </Text>
        </Row>
        <Field
          label="As of (London)"
          type="datetime-local"
          value={toField(entry.recordedAt)}
          onChange={({ target: { value } }) => {
            const moment = fromField(value);
            // Include the whole minute.
            if (moment) go(stepAt(steps, new Date(Date.parse(moment) + 59_999).toISOString()));
          }}
        />
      </Row>
      <Step entry={entry} />
    </Box>
  );
};

export const ReplayTab = () => {
  const [params, setParams] = useSearchParams();
  const stream = (params.get('of') ?? '').trim().slice(0, LONGEST_FILTER);
  const story = params.get('story') === 'true';
  const [typed, setTyped] = useState({ stream, story });
  useEffect(() => setTyped({ stream, story: story || stream === '' }), [stream, story]);
  const isBooking = /^booking-\d+$/.test(typed.stream.trim());
  const { data, error } = useAnswer(
    replayCalls.steps,
    stream ? { query: { stream, ...(story && { story: 'true' }) } } : null,
  );
  const play = () =>
    setParams({
      tab: 'replay',
      of: typed.stream.trim(),
      ...(isBooking && typed.story && { story: 'true' }),
    });
  return (
    <Box gap="$24">
      <Panel padding="$20" gap="$20" $md={{ padding: '$24' }}>
        <Box gap="$4">
          <Heading size="title">Play it again</Heading>
          <Text size="small" tone="dim">
            Every state is worked out from the log, and nothing is changed. The arrow keys step through the
            timeline.
          </Text>
        </Box>
        <LogFilters onSubmit={play}>
          <Field
            label="Stream"
            placeholder="booking-12"
            maxLength={LONGEST_FILTER}
            value={typed.stream}
            onChange={({ target: { value } }) => setTyped({ ...typed, stream: value })}
          />
          <Check
            label="With all that belongs to the booking"
            disabled={!isBooking}
            checked={isBooking && typed.story}
            onChange={({ target }) => setTyped({ ...typed, story: target.checked })}
          />
          <Row minHeight={52}>
            <Button type="submit" kind="primary" disabled={typed.stream.trim() === ''}>
              Play
            </Button>
          </Row>
        </LogFilters>
        {stream === '' ? null : error ? (
          <Notice tone="bad" alert title="It can’t be played">
            {sayFailure(error, 'Please try again.')}
          </Notice>
        ) : data ? (
          <Player key={`${stream} ${story}`} steps={data} />
        ) : (
          <Skeleton height={240} />
        )}
      </Panel>
      <WhatIf />
    </Box>
  );
};
