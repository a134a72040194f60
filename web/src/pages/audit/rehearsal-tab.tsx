import { useDeferredValue, useState } from 'react';
import { type AdminEvent, adminEventCalls } from '#domain/contracts/admin-events.ts';
import {
  FASTEST,
  LONGEST_HOLD_MINUTES,
  MOST_REHEARSED,
  rehearsalCalls,
} from '#domain/contracts/rehearsal.ts';
import { useList } from '../../api/answers.ts';
import { ask } from '../../api/client.ts';
import { type Rehearsal, useRehearsal } from '../../api/rehearsal.ts';
import { loggedOut } from '../../kit/logged-out.ts';
import { Badge } from '../../ui/badge.tsx';
import { Box, Panel, Row } from '../../ui/box.tsx';
import { Button } from '../../ui/button.tsx';
import { Check, Field, Select } from '../../ui/field.tsx';
import { LogFilters } from '../../ui/log.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ShareBar } from '../../ui/share-bar.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { Fold } from '../../ui/trail.tsx';
import { count } from '../../words/count.ts';
import { exactly } from '../../words/event.ts';
import { sayFailure } from '../../words/failure.ts';
import { when } from '../../words/when.ts';
import { DoorOutcomes, SaleOutcomes } from './rehearsal-outcome.tsx';

const STATES = {
  playing: ['warn', 'Playing'],
  stopped: ['plain', 'Stopped'],
  ended: ['good', 'Played to the end'],
} as const;

/** How far a rehearsal is, and what it has brought so far. */
const Progress = ({ rehearsal }: { rehearsal: Rehearsal }) => {
  const { state, sale, door, error } = rehearsal;
  if (state === 'none') return null;
  if (state === 'failed')
    return (
      <Notice tone="bad" alert title="It could not be played">
        {sayFailure(error, 'No answer came. Please try again.')}
      </Notice>
    );
  const news = sale ?? door;
  const [tone, words] = STATES[state];
  return (
    <Box gap="$24">
      <Box gap="$8">
        <Row gap="$12" flexWrap="wrap">
          <Row role="status">
            <Badge tone={tone}>{words}</Badge>
          </Row>
          {news ? (
            <Text size="small" figures>
              {[
                `Step ${count(news.played)} of ${count(news.of)}`,
                ...(news.at ? [`${exactly(news.at)} in the sandbox`] : []),
              ].join(', ')}
            </Text>
          ) : null}
        </Row>
        <ShareBar share={news && news.of > 0 ? news.played / news.of : state === 'ended' ? 1 : 0} />
        {news?.cut ? (
          <Text size="small" tone="warn">
            {`There was more than is taken: only the first ${count(MOST_REHEARSED)} events are in these figures.`}
          </Text>
        ) : null}
      </Box>
      {news?.of === 0 ? (
        <Text tone="dim">Nothing of this has happened, so there is nothing to play.</Text>
      ) : null}
      {sale && sale.of > 0 ? <SaleOutcomes {...sale} /> : null}
      {door && door.of > 0 ? <DoorOutcomes {...door} /> : null}
    </Box>
  );
};

const saleAssumptions = [
  'The same people come at the same moments, want as many tickets, and pay after as long as they did.',
  'A hold that lapses frees its tickets for those who come after. Whoever pays later than that gets tickets if some are left.',
  'Whoever was refused in fact, and gets tickets here, pays after as long as the middle buyer took.',
  'A longer hold ends when its person asks again. Promotions take off what they took off then, and cancellations give back the same share.',
  'Nobody comes or stays away because of another price. Who saw that nothing was left, and asked for nothing, is not in the log.',
];
const doorAssumptions = [
  'The same codes are shown at the same gates at the same moments, and decided by the same rules.',
  'Cancellations, disputes and scans that were undone come when they did.',
  'Queues: each scan takes as long as you say, and each gate reads one code at a time.',
];

interface Typed {
  readonly what: 'sale' | 'door';
  readonly search: string;
  readonly listing: string;
  readonly pace: string;
  readonly capacity: string;
  readonly price: string;
  readonly hold: string;
  readonly takes: string;
  readonly connected: boolean;
}

const untyped: Typed = {
  ...{ what: 'sale', search: '', listing: '', pace: '', capacity: '', price: '', hold: '', takes: '' },
  connected: false,
};

const said = ({ title, date, time, city }: AdminEvent): string =>
  `${title}, ${city}, ${when({ date, time })}`;

/** A sale or an evening at the door, played again in a sandbox under other conditions. */
export const RehearsalTab = () => {
  const [typed, setTyped] = useState(untyped);
  const { rehearsal, start, stop } = useRehearsal();
  const search = useDeferredValue(typed.search.trim());
  const { data } = useList(adminEventCalls.list, { query: { ...(search && { search }) } });
  const events = data?.items ?? [];
  const listing = events.some(({ id }) => `${id}` === typed.listing)
    ? typed.listing
    : `${events[0]?.id ?? ''}`;
  const chosen = events.find(({ id }) => `${id}` === listing);
  const playing = rehearsal.state === 'playing';
  const type =
    (name: Exclude<keyof Typed, 'connected'>) =>
    ({ target: { value } }: { target: { value: string } }) =>
      setTyped({ ...typed, [name]: value });
  const play = () => {
    const { what, pace, capacity, price, hold, takes, connected } = typed;
    const asked = { listing, pace };
    start(what, (signal) =>
      (what === 'sale'
        ? ask(rehearsalCalls.sale, { signal, query: { ...asked, capacity, price, hold } })
        : ask(rehearsalCalls.door, { signal, query: { ...asked, takes, connected: connected || undefined } })
      ).catch((error: unknown) => {
        loggedOut(error);
        throw error;
      }),
    );
  };
  return (
    <Panel padding="$20" gap="$20" $md={{ padding: '$24' }}>
      <Box gap="$4">
        <Heading size="title">Rehearse it</Heading>
        <Text size="small" tone="dim">
          A sale or an evening at the door, played again from the log in a sandbox. Nothing of the site
          changes, and nothing of the rehearsal is kept.
        </Text>
      </Box>
      <LogFilters onSubmit={play}>
        <Select
          label="Rehearse"
          value={typed.what}
          options={[
            { value: 'sale', label: 'The sale' },
            { value: 'door', label: 'The evening at the door' },
          ]}
          onChange={({ target }) => setTyped({ ...typed, what: target.value === 'door' ? 'door' : 'sale' })}
        />
        <Field
          label="Find an event"
          optional
          type="search"
          maxLength={100}
          value={typed.search}
          onChange={type('search')}
        />
        <Select
          label="Event"
          value={listing}
          options={events.map((event) => ({ value: `${event.id}`, label: said(event) }))}
          onChange={type('listing')}
        />
        <Field
          label="Times as fast as it was"
          optional
          type="number"
          min={1}
          max={FASTEST}
          placeholder="At once"
          value={typed.pace}
          onChange={type('pace')}
        />
        {typed.what === 'sale' ? (
          <>
            <Field
              label="Capacity"
              optional
              type="number"
              min={1}
              placeholder={chosen ? `${chosen.capacity}` : ''}
              value={typed.capacity}
              onChange={type('capacity')}
            />
            <Field
              label="Price of a ticket, £"
              optional
              inputMode="decimal"
              pattern="\d{1,6}(\.\d{1,2})?"
              placeholder={chosen?.price ?? ''}
              value={typed.price}
              onChange={type('price')}
            />
            <Field
              label="Minutes of a hold"
              optional
              type="number"
              min={1}
              max={LONGEST_HOLD_MINUTES}
              placeholder="15"
              value={typed.hold}
              onChange={type('hold')}
            />
          </>
        ) : (
          <>
            <Field
              label="Seconds that a scan takes"
              optional
              type="number"
              min={1}
              max={120}
              value={typed.takes}
              onChange={type('takes')}
            />
            <Check
              label="All gates have a network"
              checked={typed.connected}
              onChange={({ target }) => setTyped({ ...typed, connected: target.checked })}
            />
          </>
        )}
        <Row minHeight={52} gap="$8">
          <Button type="submit" kind="primary" disabled={listing === ''}>
            Rehearse
          </Button>
          <Button kind="outline" disabled={!playing} onClick={stop}>
            Stop
          </Button>
        </Row>
      </LogFilters>
      <Fold title="What is assumed">
        <ul className="plain-rows">
          {(typed.what === 'sale' ? saleAssumptions : doorAssumptions).map((words) => (
            <li key={words}>
              <Text size="small">{words}</Text>
            </li>
          ))}
          <li>
            <Text size="small">
              Quiet stretches are cut short: no wait between two steps lasts longer than three seconds.
            </Text>
          </li>
        </ul>
      </Fold>
      <Progress rehearsal={rehearsal} />
    </Panel>
  );
};
