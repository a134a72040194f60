import { beforeEach, describe, expect, it } from 'vitest';
import type { InventoryEvent } from '#domain/inventory/events.ts';
import { toPosition } from '#infra/event-log/batch.ts';
import { instant, integer, table, text } from '#infra/read-models/table.ts';
import { projections } from '#projector/projections/all.ts';
import { listParked, retryParked } from '#projector/rebuild/parked.ts';
import { salesMix } from '#tests/bench/sales-mix.ts';
import { city, type Given, type GivenEvents, givenEvents } from '#tests/kit/given-events.ts';
import type { Projected, Projection } from './projection.ts';

const BUYER = '6f0d2a52-9df8-4f2e-8d4f-5a0f0d8f0a01';
const ATTEMPT = '7a1d2a52-9df8-4f2e-8d4f-5a0f0d8f0a02';

const opened = (listingId: number, capacity = 100): Given => ({
  stream: `inventory-${listingId}`,
  event: { type: 'InventoryOpened', data: { listingId, capacity } },
});
const held = (listingId: number, quantity = 2): Given => ({
  stream: `inventory-${listingId}`,
  event: {
    type: 'TicketsHeld',
    data: {
      listingId,
      attempt: ATTEMPT,
      bookingId: 1,
      userId: BUYER,
      quantity,
      until: '2026-06-01T12:15:00.000Z',
    },
  },
});

const PATIENCE = { timeout: 10_000 };
const WAITING =
  "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

describe('the projection engine', () => {
  let kit: GivenEvents;
  beforeEach(async () => {
    kit = await givenEvents();
  });

  it('applies a batch once, however often it is delivered', async () => {
    await kit.given(opened(1), held(1), held(1));
    expect(await kit.rows('inventory')).toEqual([
      { listing_id: 1, capacity: 100, sold: 0, held: 4, closed: null },
    ]);
    expect(await kit.comparedWithRebuild()).toBe('no row differs');
  });

  it('skips the part of a batch that overlaps the last one', async () => {
    await kit.given(opened(1), held(1));
    await kit.append(held(1));
    for await (const batch of kit.log.readAll(toPosition(1)))
      await kit.engine.apply(await kit.engine.decode(batch));
    expect((await kit.rows('inventory')).map((row) => row.held)).toEqual([4]);
  });

  it('parks an event that a fold refuses and later events of its rows, and no others', async () => {
    await kit.given(held(1, 1), opened(2), held(2), opened(1), held(2));
    expect((await kit.rows('inventory')).map(({ listing_id, held }) => [listing_id, held])).toEqual([[2, 4]]);
    expect((await listParked(kit.pool)).map(({ type, keys, error }) => [type, keys, error])).toEqual([
      ['TicketsHeld', ['inventory/1'], 'TicketsHeld came for a row that is not there'],
      ['InventoryOpened', ['inventory/1'], null],
    ]);
    expect(await kit.comparedWithRebuild()).toBe('no row differs');
  });

  it('goes on parking behind a parked event after a restart', async () => {
    await kit.given(held(1));
    await kit.engine.open();
    await kit.given(opened(1));
    expect(await kit.rows('inventory')).toEqual([]);
    expect((await listParked(kit.pool)).map(({ error }) => error)).toEqual([expect.any(String), null]);
  });

  it('finds the one event whose rows PostgreSQL refuses, parks it, and applies the rest of the batch', async () => {
    await kit.append(city(1, 'York'), city(2, 'Ba\u0000th'), city(3, 'Leeds'), opened(1), held(1));
    await kit.project(100);
    await kit.given(city(2, 'Bath'));
    expect((await kit.rows('city')).map(({ name }) => name)).toEqual(['York', 'Leeds']);
    expect((await kit.rows('inventory')).map((row) => row.held)).toEqual([2]);
    const parked = await listParked(kit.pool);
    expect(parked.map(({ stream, keys }) => [stream, keys])).toEqual([
      ['city-2', ['city/2']],
      ['city-2', ['city/2']],
    ]);
    expect(parked.map(({ error }) => error)).toEqual([expect.stringContaining('0x00'), null]);
  });

  it('parks unreadable events and later ones of their stream', async () => {
    const broken = {
      id: '8a1d2a52-9df8-4f2e-8d4f-5a0f0d8f0a03',
      type: 'CityAdded',
      version: 1,
      data: '{"cityId":',
      meta: '{}',
    };
    await kit.log.append([{ stream: 'city-1', expected: 'none', events: [broken] }]);
    await kit.given(city(1, 'York'), city(2, 'Bath'));
    expect((await kit.rows('city')).map(({ name }) => name)).toEqual(['Bath']);
    expect((await listParked(kit.pool)).map(({ keys }) => keys)).toEqual([
      ['stream/city-1'],
      ['city/1', 'stream/city-1'],
    ]);
  });

  it('parks an event even if PostgreSQL could not store its name or its error', async () => {
    const half = {
      id: '8a1d2a52-9df8-4f2e-8d4f-5a0f0d8f0a04',
      type: 'CityAdded',
      version: 1,
      // Where the error quotes it, it cuts a pair in two.
      data: `{"aaaaaaaaaaaaaaaaa":!${'🎭'.repeat(20)}}`,
      meta: '{}',
    };
    await kit.log.append([{ stream: 'city-1', expected: 'none', events: [half] }]);
    const setting = (key: string): Given => ({
      stream: 'site-config',
      event: {
        type: 'SettingChanged',
        data: { key, value: '1', description: '', category: 'display' },
      } as Given['event'],
    });
    await kit.given(setting('a\u0000b'), setting('a\u0000b'), city(2, 'Bath'));
    expect((await kit.rows('city')).map(({ name }) => name)).toEqual(['Bath']);
    expect(await kit.rows('setting')).toEqual([]);
    expect(await listParked(kit.pool)).toHaveLength(3);
  });

  it('parks an event whose rows PostgreSQL refuses to look up', async () => {
    const nowhere = 3_000_000_000;
    await kit.append(opened(1), held(nowhere), held(1), held(nowhere), opened(2));
    await kit.project(100);
    expect((await kit.rows('inventory')).map(({ listing_id, held }) => [listing_id, held])).toEqual([
      [1, 2],
      [2, 0],
    ]);
    const parked = await listParked(kit.pool);
    expect(parked.map(({ keys, error }) => [keys, error])).toEqual([
      [[`inventory/${nowhere}`], expect.stringContaining('out of range')],
      [[`inventory/${nowhere}`], null],
    ]);
    await kit.given(city(1, 'York'));
    expect(await retryParked({ ...kit, projections })).toMatchObject({
      taken: 0,
      left: [{}, { error: null }],
    });
  });

  it('fails its next commit if the checkpoint was changed by another process', async () => {
    await kit.given(opened(1));
    await kit.pool.query('UPDATE read.checkpoint SET generation = generation + 1');
    await kit.append(held(1));
    await expect(kit.project()).rejects.toThrow('moved by somebody else');
    expect((await kit.rows('inventory')).map((row) => row.held)).toEqual([0]);
    await kit.engine.open();
    await kit.project();
    expect((await kit.rows('inventory')).map((row) => row.held)).toEqual([2]);
  });

  it('waits for the holder of the checkpoint before it reads rows', async () => {
    await kit.given(opened(1));
    await kit.engine.open();
    await kit.append(held(1));
    const other = await kit.pool.connect();
    await other.query('BEGIN');
    await other.query('SELECT FROM read.checkpoint FOR UPDATE');
    const projected = kit.project();
    await expect.poll(async () => (await kit.pool.query(WAITING)).rowCount, PATIENCE).toBe(1);
    await other.query('UPDATE read.inventory SET held = 5');
    await other.query('COMMIT');
    other.release();
    await projected;
    expect((await kit.rows('inventory')).map((row) => row.held)).toEqual([7]);
  });

  it('refuses the checkpoint of another log', async () => {
    await kit.pool.query(`UPDATE read.checkpoint SET log_id = 'another'`);
    await expect(kit.engine.open()).rejects.toThrow('made from log another, but this is log');
  });

  it('refuses read models of another version', async () => {
    await kit.pool.query(`UPDATE read.checkpoint SET versions = versions || '{"bookings": 99}'`);
    await expect(kit.engine.open()).rejects.toThrow('made by a newer version of bookings');
    await kit.pool.query(`UPDATE read.checkpoint SET versions = versions || '{"bookings": 0}'`);
    await expect(kit.engine.open()).rejects.toThrow('made by an older version of bookings');
  });
});

describe('cached rows', () => {
  it('can be dropped at any time', async () => {
    const kit = await givenEvents(projections, 1);
    const mix = salesMix(3);
    await kit.append(...Array.from({ length: 1_500 }, () => mix.next().value));
    await kit.project(7);
    expect(await listParked(kit.pool)).toEqual([]);
    expect(await kit.comparedWithRebuild()).toBe('no row differs');
  });
});

/** How many tickets were held on which day, by listing. */
const heldTable = table('held_on', {
  key: ['day', 'listing_id'],
  columns: { day: text(), listing_id: integer(), held: integer(), last: instant() },
});
type Held = Extract<InventoryEvent, { type: 'TicketsHeld' | 'SalesClosed' }>;
const heldRows: Projected<typeof heldTable, Held> = {
  table: heldTable,
  types: ['TicketsHeld', 'SalesClosed'],
  keys: ({ event, meta }) => [[meta.at.slice(0, 10), event.data.listingId]],
  fold: (row, { event, meta }, [day, listing_id]) => {
    if (event.type === 'SalesClosed') return undefined;
    const { quantity } = event.data;
    if (quantity > 9) throw new Error('too many');
    return { day, listing_id, held: (row?.held ?? 0) + quantity, last: meta.at };
  },
};

describe('rows with a key of several columns', () => {
  const days: readonly Projection[] = [{ name: 'days', version: 1, tables: [heldRows] }];
  const monday = { at: '2026-06-01T12:00:00.000Z' };
  const tuesday = { at: '2026-06-02T12:00:00.000Z' };
  const closed: Given = {
    stream: 'inventory-1',
    event: { type: 'SalesClosed', data: { listingId: 1, why: 'started' } },
  };
  const shown = async ({ pool }: GivenEvents) =>
    (await pool.query('SELECT day, listing_id, held FROM read.held_on ORDER BY day, listing_id')).rows.map(
      (row) => [row.day, row.listing_id, row.held],
    );

  it.each([1, 20_000])('are read, written, removed and compared with %i cached rows', async (mostRows) => {
    const kit = await givenEvents(days, mostRows);
    await kit.given(
      ...[held(1), held(2, 1)].map((one) => ({ ...one, ...monday })),
      ...[held(2, 4), held(1), held(1, 3)].map((one) => ({ ...one, ...tuesday })),
      { ...held(2), ...monday },
    );
    expect(await shown(kit)).toEqual([
      ['2026-06-01', 1, 2],
      ['2026-06-01', 2, 3],
      ['2026-06-02', 1, 5],
      ['2026-06-02', 2, 4],
    ]);
    await kit.given({ ...closed, ...tuesday });
    expect((await shown(kit)).map(([day, listing]) => [day, listing])).toEqual([
      ['2026-06-01', 1],
      ['2026-06-01', 2],
      ['2026-06-02', 2],
    ]);
    expect(await kit.comparedWithRebuild()).toBe('no row differs');
    await kit.pool.query('UPDATE read.held_on SET held = 7 WHERE listing_id = 2');
    expect(await kit.comparedWithRebuild()).toMatch(/held_on: 2 differing rows\nheld_on 2026-06-01, 2\n/);
  });

  it('hold up later events of their own key only', async () => {
    const kit = await givenEvents(days);
    await kit.given({ ...held(1, 10), ...monday }, { ...held(1), ...tuesday }, { ...held(1), ...monday });
    expect(await shown(kit)).toEqual([['2026-06-02', 1, 2]]);
    const keys = ['held_on/["2026-06-01",1]'];
    expect((await listParked(kit.pool)).map(({ error, ...row }) => [row.keys, error])).toEqual([
      [keys, 'too many'],
      [keys, null],
    ]);
    expect(await retryParked({ ...kit, projections: days })).toMatchObject({ taken: 0, left: [{}, {}] });
    expect(await kit.comparedWithRebuild()).toBe('no row differs');
  });
});

const noteTable = table('note', { key: 'listing_id', columns: { listing_id: integer(), text: text() } });
const noteRows: Projected<typeof noteTable, Held> = {
  table: noteTable,
  types: ['TicketsHeld'],
  keys: ({ event }) => [event.data.listingId],
  fold: (_row, { event: { data } }) => {
    if (!('quantity' in data)) return undefined;
    if (data.quantity === 4) throw new Error('four');
    return { listing_id: data.listingId, text: data.quantity === 5 ? 'NUL \u0000' : 'fine' };
  },
};

it('changes all rows of an event or none, whether its fold fails or PostgreSQL refuses a row', async () => {
  const kit = await givenEvents([{ name: 'two', version: 1, tables: [heldRows, noteRows] }]);
  await kit.append(held(1, 1), held(1, 4), held(2, 5), held(3, 1));
  await kit.project(100);
  const listings = async (of: string) =>
    (await kit.pool.query(`SELECT listing_id FROM read.${of} ORDER BY 1`)).rows.map((row) => row.listing_id);
  expect(await listings('held_on')).toEqual([1, 3]);
  expect(await listings('note')).toEqual([1, 3]);
  const { rows } = await kit.pool.query('SELECT held FROM read.held_on ORDER BY listing_id');
  expect(rows).toEqual([{ held: 1 }, { held: 1 }]);
  expect((await listParked(kit.pool)).map(({ keys, error }) => [keys, error])).toEqual([
    [['held_on/["2026-06-01",1]', 'note/1'], 'four'],
    [['held_on/["2026-06-01",2]', 'note/2'], expect.stringContaining('0x00')],
  ]);
});

describe('retrying parked events', () => {
  it('applies them in order once the fold can, and keeps the others with their new error', async () => {
    let mended = false;
    const [catalogue] = projections;
    const fragile: Projection = {
      name: 'catalogue',
      version: 1,
      tables: (catalogue?.tables ?? []).map((projected) => ({
        ...projected,
        fold: (row, event, key) => {
          if (projected.table.name === 'city' && key === 1 && !mended) throw new Error('not yet');
          return projected.fold(row, event, key);
        },
      })),
    };
    const kit = await givenEvents([fragile]);
    await kit.given(city(1, 'Yrk'), held(5), city(1, 'York'), city(2, 'Bath'));
    expect((await kit.rows('city')).map(({ name }) => name)).toEqual(['Bath']);
    mended = true;
    const retried = await retryParked({ ...kit, projections: [fragile] });
    expect(retried.taken).toBe(2);
    expect(retried.left.map(({ type }) => type)).toEqual(['TicketsHeld']);
    expect((await kit.rows('city')).map(({ name }) => name)).toEqual(['York', 'Bath']);
    expect((await listParked(kit.pool)).map(({ type, tries }) => [type, tries])).toEqual([
      ['TicketsHeld', 2],
    ]);
    await kit.engine.open();
    await kit.given(city(1, 'Eboracum'));
    expect((await kit.rows('city')).map(({ name }) => name)).toEqual(['Eboracum', 'Bath']);
  });
});
