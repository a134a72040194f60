import { useEffect, useState } from 'react';
import { auditCalls } from '#domain/contracts/audit.ts';
import { useAnswer } from '#web/lib/api/use-answer.ts';
import { wordsOfType } from '#web/lib/formatters/event.ts';
import { Box, Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field, Select } from '#web/ui/field.tsx';
import { LogFilters } from '#web/ui/log.tsx';
import { Fold } from '#web/ui/timeline.tsx';
import { fromField, LONGEST_FILTER, toField } from './log-query.ts';
import type { LogQuery } from './use-log.ts';

const HINTS = {
  search:
    'Free text finds words of what is not sealed. Names and addresses of people are sealed, so they are not found.',
  stream: 'booking-12',
  actor: 'An account’s id, or visitor',
} as const;

const MORE = ['stream', 'actor', 'correlation', 'from', 'to'] as const;

/** Applied together on submit, because each query is itself audited. */
export const Filters = ({ query, onNarrow }: { query: LogQuery; onNarrow: (query: LogQuery) => void }) => {
  const { data: types = [] } = useAnswer(auditCalls.types);
  const [typed, setTyped] = useState(query);
  const asked = JSON.stringify(query);
  useEffect(() => setTyped(JSON.parse(asked)), [asked]);
  const field = (name: keyof LogQuery) => ({
    value: typed[name] ?? '',
    maxLength: LONGEST_FILTER,
    onChange: ({ target: { value } }: { target: { value: string } }) => setTyped({ ...typed, [name]: value }),
  });
  const time = (name: 'from' | 'to', label: string) => (
    <Field
      label={label}
      type="datetime-local"
      value={toField(typed[name])}
      onChange={({ target: { value } }) => setTyped({ ...typed, [name]: fromField(value) })}
    />
  );
  const more = MORE.some((name) => query[name]);
  return (
    <Box gap="$12">
      <LogFilters onSubmit={() => onNarrow(typed)}>
        <Field label="Free text" type="search" {...field('search')} />
        <Select
          label="Type"
          options={[
            { value: '', label: 'All types' },
            ...types.map((type) => ({ value: type, label: wordsOfType(type) })),
          ]}
          {...field('type')}
        />
        <Row gap="$8" minHeight={52}>
          <Button type="submit" kind="primary">
            Show
          </Button>
          {Object.keys(query).length > 0 ? (
            <Button kind="plain" onClick={() => onNarrow({})}>
              Clear
            </Button>
          ) : null}
        </Row>
      </LogFilters>
      <Fold title="More filters" open={more}>
        <LogFilters onSubmit={() => onNarrow(typed)}>
          <Field label="Stream" placeholder={HINTS.stream} {...field('stream')} />
          <Field label="Who" placeholder={HINTS.actor} {...field('actor')} />
          <Field label="Request" placeholder="Its correlation id" {...field('correlation')} />
          {time('from', 'From (London)')}
          {time('to', 'Before (London)')}
          <Row minHeight={52}>
            <Button type="submit" kind="outline">
              Show these
            </Button>
          </Row>
        </LogFilters>
      </Fold>
    </Box>
  );
};

export const SEARCH_HINT = HINTS.search;
