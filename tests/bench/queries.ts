/** `GET /api/events` with filters over 10,000 listings, against a bare handler that answers as many bytes from memory. */
import { randomUUID } from 'node:crypto';
import type { DomainEvent } from '#domain/kernel/decider.ts';
import type { EventLog, NewEvent } from '#infra/event-log/event-log.ts';
import type { Foundation } from '#infra/foundation/foundation.ts';
import type { Row } from './row.ts';
import { type Stage, settled } from './stage.ts';
import { load, request, Wire } from './wire.ts';

const CITIES = ['London', 'Manchester', 'Birmingham', 'Bristol', 'Leeds', 'Glasgow', 'Cardiff', 'Belfast'];
const CATEGORIES = ['concerts', 'dining', 'nightlife', 'culture'];
const WORDS = [
  'lantern',
  'harbour',
  'midnight',
  'brass',
  'winter',
  'paper',
  'long',
  'table',
  'neon',
  'river',
];
const DAY = 86_400_000;

const facts = function* (listings: number): Generator<{ stream: string; event: DomainEvent }> {
  for (const [index, name] of CITIES.entries()) {
    const cityId = index + 1;
    const details = { name, state: 'England', country: 'United Kingdom', zone: 'Europe/London' };
    yield { stream: `city-${cityId}`, event: { type: 'CityAdded', data: { cityId, ...details } } };
    const hall = { name: `${name} Hall`, address: '1 High Street', cityId, capacity: 2_000 };
    yield { stream: `venue-${cityId}`, event: { type: 'VenueAdded', data: { venueId: cityId, ...hall } } };
  }
  for (const [index, slug] of CATEGORIES.entries()) {
    const data = { categoryId: index + 1, slug, name: slug, emoji: '🎵', description: '' };
    yield { stream: `category-${slug}`, event: { type: 'CategoryAdded', data } };
  }
  for (let id = 1; id <= listings; id++) {
    const place = 1 + (id % CITIES.length);
    const starts = new Date(Date.now() + DAY * (1 + (id % 180)));
    const date = starts.toISOString().slice(0, 10);
    const data = {
      listingId: id,
      featured: id % 20 === 0,
      title: `${WORDS[id % 10]} ${WORDS[(id * 7) % 10]} no. ${id}`,
      description: `<p>${WORDS.join(' ')}</p>`,
      category: CATEGORIES[id % 4],
      cityId: place,
      venueId: place,
      location: '1 High Street',
      price: 500 + ((id * 37) % 9_000),
      imageUrl: null,
      tags: [WORDS[id % 10], WORDS[(id * 3) % 10]],
      date,
      time: '19:30',
      zone: 'Europe/London',
      startsAt: `${date}T19:30:00.000Z`,
    };
    yield { stream: `listing-${id}`, event: { type: 'ListingCreated', data } };
    yield {
      stream: `inventory-${id}`,
      event: { type: 'InventoryOpened', data: { listingId: id, capacity: 500 } },
    };
  }
};

/** Writes a catalogue of so many listings straight through the codec. */
export const fillCatalogue = async ({ log, codec }: Foundation, listings: number): Promise<void> => {
  let waiting: { stream: string; expected: 'any'; events: NewEvent[] }[] = [];
  const flush = async (to: EventLog): Promise<void> => {
    await to.append(waiting);
    waiting = [];
  };
  for (const { stream, event } of facts(listings)) {
    const context = {
      commandId: randomUUID(),
      actor: { kind: 'system', id: 'bench' },
      at: new Date().toISOString(),
      correlationId: randomUUID(),
    } as const;
    const meta = await codec.encodeMeta(context);
    waiting.push({
      stream,
      expected: 'any',
      events: [await codec.encode(event, randomUUID(), stream, context, meta)],
    });
    if (waiting.length === 500) await flush(log);
  }
  if (waiting.length > 0) await flush(log);
};

const FILTERS = [
  '?category=concerts&limit=24',
  '?city=London&sort=price-low&limit=24',
  '?search=harb&limit=24',
  '?featured=true&limit=24',
  '?category=dining&city=Leeds&search=win&limit=24',
];

const asking = () => {
  let next = 0;
  return async (wire: Wire): Promise<boolean> => {
    const { status } = await wire.ask(request('GET', `/api/events${FILTERS[next++ % FILTERS.length]}`));
    if (status !== 200) throw new Error(`events: ${status}`);
    return true;
  };
};

/** Both in turns, with 32 connections; and the first answer of a question, that no cache can give. */
export const run = async (
  stage: Stage,
  { duration = 5_000, listings = 10_000 } = {},
): Promise<readonly Row[]> => {
  const url = await stage.freshDatabase();
  const foundation = await stage.foundation(url);
  await fillCatalogue(foundation, listings);
  const projector = await stage.play('projector', url);
  await settled(foundation);
  const api = await stage.play('query-api', url);

  const wire = await Wire.open(api.port);
  let bytes = 0;
  const first: number[] = [];
  for (const [index, filter] of FILTERS.entries()) {
    const { body } = await wire.ask(request('GET', `/api/events${filter}`));
    bytes += body.length / FILTERS.length;
    // A word of its own makes a question that was never asked before.
    const began = performance.now();
    await wire.ask(request('GET', `/api/events${filter}&cursor=&search=n${index}`));
    first.push(performance.now() - began);
  }
  wire.close();

  const bare = await stage.play('bare-bytes', url, { BYTES: String(Math.round(bytes)) });
  const bareLoad = await load(bare.port, 32, duration, asking());
  const ourLoad = await load(api.port, 32, duration, asking());
  await Promise.all([bare.stop(), api.stop(), projector.stop()]);
  await foundation.close();
  return [
    {
      what: `queries: bare handler, ${Math.round(bytes / 1024)} kB from memory`,
      figure: bareLoad.rate,
      unit: '/s',
    },
    { what: 'queries: GET /api/events with filters, 10,000 listings', figure: ourLoad.rate, unit: '/s' },
    { what: 'queries: ratio', figure: ourLoad.rate / bareLoad.rate, unit: '×' },
    {
      what: 'queries: a question never asked before',
      figure: first.reduce((a, b) => a + b, 0) / first.length,
      unit: 'ms',
    },
  ];
};
