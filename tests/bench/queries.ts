/** `GET /api/events` with filters over 10,000 listings, against a bare handler that answers as many bytes from memory. */
import { fill } from './rebuild.ts';
import { type Row, row } from './row.ts';
import { listingEvents, type MixedEvent, placeEvents } from './sales-mix.ts';
import { type Stage, settled } from './stage.ts';
import { load, request, Wire } from './wire.ts';

const LISTINGS = 10_000;
const DURATION = 5_000;
const DAY = 86_400_000;
const CITIES = 'London Manchester Birmingham Bristol Leeds Glasgow Cardiff Belfast'.split(' ');
const CATEGORIES = 'concerts dining nightlife culture'.split(' ');
const WORDS = 'lantern harbour midnight brass winter paper long table neon river'.split(' ');

const catalogue = function* (): Generator<MixedEvent> {
  const by = { at: new Date().toISOString(), actor: { kind: 'system', id: 'bench' } } as const;
  for (const [index, name] of CITIES.entries())
    for (const one of placeEvents(index + 1, name)) yield { ...one, ...by };
  for (const [index, slug] of CATEGORIES.entries()) {
    const data = { categoryId: index + 1, slug, name: slug, emoji: '🎵', description: '' };
    yield { stream: `category-${slug}`, event: { type: 'CategoryAdded', data }, ...by };
  }
  const word = (at: number): string => WORDS[at % WORDS.length] ?? '';
  for (let id = 1; id <= LISTINGS; id++) {
    const events = listingEvents(id, 500, {
      title: `${word(id)} ${word(id * 7)} no. ${id}`,
      description: `<p>${WORDS.join(' ')}</p>`,
      category: CATEGORIES[id % CATEGORIES.length] ?? '',
      cityId: 1 + (id % CITIES.length),
      price: 500 + ((id * 37) % 9_000),
      tags: [word(id), word(id * 3)],
      featured: id % 20 === 0,
      date: new Date(Date.now() + DAY * (1 + (id % 180))).toISOString().slice(0, 10),
    });
    for (const one of events) yield { ...one, ...by };
  }
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
export const run = async (stage: Stage): Promise<readonly Row[]> => {
  const url = await stage.freshDatabase();
  const foundation = await stage.foundation(url);
  await fill(foundation, catalogue());
  await stage.play('projector', url);
  await settled(foundation);
  const api = await stage.play('query-api', url);

  const wire = await Wire.open(api.port);
  let bytes = 0;
  let first = 0;
  for (const [index, filter] of FILTERS.entries()) {
    const { body } = await wire.ask(request('GET', `/api/events${filter}`));
    bytes += body.length / FILTERS.length;
    // A word of its own makes a question that was never asked before.
    const began = performance.now();
    await wire.ask(request('GET', `/api/events${filter}&cursor=&search=n${index}`));
    first += (performance.now() - began) / FILTERS.length;
  }
  wire.close();

  const bare = await stage.play('bare-bytes', url, { BYTES: String(Math.round(bytes)) });
  const bareLoad = await load(bare.port, 32, DURATION, asking());
  const ourLoad = await load(api.port, 32, DURATION, asking());
  return [
    row(`queries: bare handler, ${Math.round(bytes / 1024)} kB from memory`, bareLoad.rate, '/s'),
    row('queries: GET /api/events with filters, 10,000 listings', ourLoad.rate, '/s'),
    row('queries: ratio', ourLoad.rate / bareLoad.rate, '×'),
    row('queries: a question never asked before', first, 'ms'),
  ];
};
