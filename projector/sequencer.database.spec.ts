import { createPrivateKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openCheckpoint } from '#domain/proof/proof.ts';
import type { EventLog } from '#infra/event-log/event-log.ts';
import { openEventLogAt } from '#infra/foundation/open-log.ts';
import { troubleWith } from '#infra/lib/outage.ts';
import { type Database, openDatabase } from '#infra/postgres/database.ts';
import {
  createCheckpointSigner,
  exportedLines,
  newestCheckpoint,
  readTree,
  recheck,
  treeToExport,
} from '#infra/proof/proof.ts';
import { verifyLog } from '#infra/proof/verify-log.ts';
import { askForCheck } from '#infra/queue/operations.ts';
import { freshDatabase } from '#tests/kit/database.ts';
import { atTheEnd } from '#tests/kit/endings.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { MemoryEventLog } from '#tests/kit/memory-log.ts';
import { startSequencer } from './sequencer.ts';

const newKey = () =>
  createPrivateKey(generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }));
const signer = createCheckpointSigner(newKey());
const { publicKeys } = signer;

let url: string;
let database: Database;
let log: EventLog;
const openDatabaseAndLog = async (): Promise<void> => {
  appended = 0;
  url = await freshDatabase('tables');
  const opened = openDatabase(url);
  atTheEnd(() => opened.close());
  database = opened;
  const openedLog = await openEventLogAt(url);
  atTheEnd(() => openedLog.close());
  log = openedLog;
};

const event = (what: string) => ({
  id: randomUUID(),
  type: 'CityAdded',
  version: 1,
  data: JSON.stringify({ what }),
  meta: JSON.stringify({ at: what }),
});

/** Appends so many events, each to the next of ten streams. */
let appended: number;
const append = async (many: number, to = log): Promise<void> => {
  const end = appended + many;
  while (appended < end) {
    const numbers = Array.from({ length: Math.min(10, end - appended) }, () => appended++);
    await to.append(
      numbers.map((one) => ({ stream: `city-${one % 10}`, expected: 'any', events: [event(`${one}`)] })),
    );
  }
};

const query = (sql: string) => database.pool.query(sql);

/** A sequencer until the spec ends, or until it is stopped. */
const sequence = (of = log) => {
  const { pool } = database;
  const news: string[] = [];
  const sequencer = startSequencer({
    ...{ pool, signer, log: of, origin: 'reprise.example/log', lease: 1_000, signEvery: 20 },
    recheck: (_, say) => recheck({ pool, log: of, publicKeys, say }),
    onNews: ({ kind }) => void news.push(kind),
    trouble: () => ({ met: (error) => void news.push(`${error}`), over: () => undefined }),
  });
  atTheEnd(() => sequencer.stop());
  return { stop: () => sequencer.stop(), news };
};

const newest = async () => openCheckpoint((await newestCheckpoint(database.pool)) ?? '', publicKeys);
const signedTo = (size: number) =>
  eventually(async () => expect(await newest()).toMatchObject({ size, origin: 'reprise.example/log' }));

/** What the recheck of the store and `verify-log` on an export both find. */
const found = async () => {
  const { pool } = database;
  const { findings } = await recheck({ pool, log, publicKeys });
  const file = join(await freshFolder(), 'log.ndjson');
  const lines = await Array.fromAsync(exportedLines(pool, log, await treeToExport(pool)));
  await writeFile(file, lines.join(''));
  expect((await verifyLog(file, publicKeys)).findings).toEqual(findings);
  return findings;
};

describe('the sequencer', () => {
  beforeEach(openDatabaseAndLog);

  it('adds earlier and new events to the tree, across restarts, and signs it', async () => {
    await append(300);
    const { stop } = sequence();
    await signedTo(300);
    await append(5);
    await signedTo(305);
    await stop();
    await append(10);
    sequence();
    await signedTo(315);
    expect(await found()).toEqual([]);
  });

  it('proves events whose text has line and paragraph separators', async () => {
    await log.append([
      { stream: 'city-0', expected: 'any', events: [event('one\u2028two\u2029three\u0085four')] },
    ]);
    sequence();
    await signedTo(1);
    expect(await found()).toEqual([]);
  });

  it('runs in one process at a time', async () => {
    const both = [sequence(), sequence()];
    await append(50);
    await signedTo(50);
    await both[0]?.stop();
    await append(50);
    await signedTo(100);
    expect(await found()).toEqual([]);
    expect(both.flatMap(({ news }) => news)).toEqual([]);
  });

  it('reports the end of its troubles if another process has led for a while', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    atTheEnd(() => vi.useRealTimers());
    await append(10);
    const { pool } = database;
    const heard: string[] = [];
    const sign = (): never => {
      throw new Error('no key');
    };
    const sequencer = startSequencer({
      ...{
        pool,
        log,
        signer: { ...signer, sign },
        origin: 'reprise.example/log',
        lease: 1_000,
        signEvery: 20,
      },
      recheck: () => Promise.reject(new Error('no recheck')),
      trouble(task) {
        const { met, over } = troubleWith(
          { warn: () => heard.push(`${task} fails`), info: () => heard.push(`${task} works`) } as never,
          '',
        );
        return { met, over };
      },
    });
    atTheEnd(() => sequencer.stop());
    const checkpoints = 'the log’s checkpoints';
    await eventually(() => expect(heard).toContain(`${checkpoints} fails`));
    await query(
      `update app.tree set holder = gen_random_uuid(), lease_until = clock_timestamp() + interval '1 hour'`,
    );
    await eventually(() => {
      vi.advanceTimersByTime(5_000);
      expect(heard).toContain(`${checkpoints} works`);
    });
  });

  it('continues with a copy of the log in another store, and signs no other log', async () => {
    await append(20);
    const first = sequence();
    await signedTo(20);
    await first.stop();
    const copy = new MemoryEventLog();
    for await (const { events } of log.readAll(''))
      for (const { stream, ...one } of events)
        await copy.append([{ stream, expected: 'any', events: [one] }]);
    const second = sequence(copy);
    await append(1, copy);
    await signedTo(21);
    await second.stop();

    const other = new MemoryEventLog();
    await append(30, other);
    const { news } = sequence(other);
    await eventually(() => expect(news).toContain('broken'));
    expect((await newest())?.size).toBe(21);
  });

  it('stops signing if the log does not match, keeps adding events, and signs again once it matches', async () => {
    await append(10);
    const { news } = sequence();
    await signedTo(10);
    await query(`update log.event set data = '{"what":"forged"}' where position = 4`);
    await askForCheck(database.pool, 'a spec');
    await eventually(() => expect(news).toEqual(['broken']));
    expect((await readTree(database.pool)).broken).toBe('Entry 4 (city-3, revision 0) was changed.');
    await append(5);
    await eventually(async () => expect((await readTree(database.pool)).size).toBe(15));
    expect((await newest())?.size).toBe(10);
    await query(
      `update log.event set data = format('{"what":"%s"}', meta::json ->> 'at') where position = 4`,
    );
    await askForCheck(database.pool, 'a spec');
    await eventually(() => expect(news).toEqual(['broken', 'mended']));
    await signedTo(15);
  });

  it('reports that its tree has lost a part', async () => {
    await append(300);
    const { stop } = sequence();
    await signedTo(300);
    await stop();
    await query('delete from app.tree_node');
    await append(1);
    const before = sequence();
    await eventually(async () =>
      expect((await readTree(database.pool)).broken).toBe('The tree has lost its part 8/0.'),
    );
    await askForCheck(database.pool, 'a spec');
    await eventually(async () =>
      expect((await readTree(database.pool)).broken).toMatch(
        /hashes of entries 1 to 256 were changed or lost/,
      ),
    );
    await before.stop();
    expect(before.news).not.toContain('mended');

    // As docs/operations/incidents.md says.
    await query('update app.tree set log_id = null');
    sequence();
    await eventually(async () => expect((await readTree(database.pool)).size).toBe(301));
    await askForCheck(database.pool, 'a spec');
    await signedTo(301);
  });

  it('keeps the first of very many findings and reports their number', async () => {
    await append(700);
    const { news } = sequence();
    await signedTo(700);
    await query(`update log.event set type = 'CityLost'`);
    await askForCheck(database.pool, 'a spec');
    await eventually(() => expect(news).toEqual(['broken']));
    expect((await readTree(database.pool)).broken).toMatch(/And 695 more\.$/);
    const { rows } = await query('select jsonb_array_length(findings) as kept from app.operation');
    expect(rows).toEqual([{ kept: 500 }]);
  });

  it('compares once a night, even if the database’s clock was ahead for a while', async () => {
    await append(10);
    await query(`update app.tree set made_at = made_at - interval '2 days'`);
    await query(
      `insert into app.operation (kind, asked_at, asked_by, ended_at)
       values ('compare-log', now() + interval '1 year', 'a spec', now())`,
    );
    sequence();
    const nightly = async () =>
      (
        await query(
          `select from app.operation where asked_by = 'the nightly comparison' and ended_at is not null`,
        )
      ).rowCount;
    await eventually(async () => expect(await nightly()).toBe(1));
    await signedTo(10);
    await append(1);
    await signedTo(11);
    expect(await nightly()).toBe(1);
  });

  it('notices shifted entries and has the log compared once', async () => {
    await append(10);
    const begun = vi.spyOn(log, 'subscribe');
    const { news } = sequence();
    await signedTo(10);
    await shift(6);
    await append(1);
    await eventually(async () =>
      expect((await readTree(database.pool)).broken).toMatch(/never in the tree .* before entry 6\./),
    );
    expect(news[0]).toBe('broken');
    const tries = begun.mock.calls.length;
    await eventually(() => expect(begun.mock.calls.length).toBeGreaterThan(tries + 2));
    const { rows } = await query(`select count(*)::integer as asked from app.operation`);
    expect(rows).toEqual([{ asked: 1 }]);
  });
});

/** Puts an entry in at a position, and moves all others up. */
const shift = async (position: number): Promise<void> => {
  await query(`update log.event set position = -position where position >= ${position}`);
  await query('update log.event set position = 1 - position where position < 0');
  await query(`insert into log.event select ${position}, recorded_at, 99, version, gen_random_uuid(), 'city-77', type, data, meta
    from log.event where position = 1`);
};

describe('a tree in the database', () => {
  const parts = ['app.tree', 'app.tree_run', 'app.tree_node'];
  beforeAll(async () => {
    await openDatabaseAndLog();
    for (const size of [300, 600]) {
      await append(300);
      const { stop } = sequence();
      await signedTo(size);
      await stop();
    }
    await query('create schema kept');
    for (const table of parts) await query(`create table kept.${table.split('.')[1]} as table ${table}`);
  });
  afterEach(async () => {
    for (const table of parts)
      await query(`delete from ${table}; insert into ${table} table kept.${table.split('.')[1]}`);
  });
  const torn = async () => {
    const { findings } = await recheck({ pool: database.pool, log, publicKeys });
    expect(findings.filter(({ kind }) => kind !== 'torn')).toEqual([]);
    return findings.map(({ entry, other }) => [entry, other]);
  };

  it('is intact as it was made', async () => {
    expect(await torn()).toEqual([]);
  });

  it.each([
    ['level = 8 and index = 1', [[257, 512]]],
    ['level = 9', [[1, 512]]],
    [
      'true',
      [
        [1, 256],
        [257, 512],
      ],
    ],
  ])(
    'is found damaged if a byte of a part was changed, or the part was lost: %s',
    async (which, expected) => {
      await query(
        `update app.tree_node set hash = set_byte(hash, 3, 255 - get_byte(hash, 3)) where ${which}`,
      );
      expect(await torn()).toEqual(expected);
      await query(`delete from app.tree_node where ${which}`);
      expect(await torn()).toEqual(expected);
    },
  );

  it.each([
    ['delete from app.tree_run where first = 0', [[1, 600]]],
    ['delete from app.tree_run where first = 300', [[301, 600]]],
    [`update app.tree_run set hashes = substr(hashes, 1, 71) where first = 0`, [[3, 600]]],
    [`update app.tree_run set first = 301 where first = 300`, [[301, 600]]],
    ['update app.tree set size = 601', [[601, 601]]],
  ])('is found damaged if leaves were lost: %s', async (sql, expected) => {
    await query(sql);
    expect(await torn()).toEqual(expected);
  });
});

describe('a log in the database', () => {
  const damaged = ['log.event', 'app.tree', 'app.tree_run', 'app.tree_checkpoint'];
  beforeAll(async () => {
    await openDatabaseAndLog();
    await append(40);
    const { stop } = sequence();
    await signedTo(40);
    await stop();
    await query('create schema kept');
    for (const table of damaged) await query(`create table kept.${table.split('.')[1]} as table ${table}`);
  });
  /** As it was before a spec damaged it. */
  afterEach(async () => {
    for (const table of damaged)
      await query(`delete from ${table}; insert into ${table} table kept.${table.split('.')[1]}`);
  });
  const placeOf = async (position: number): Promise<string> => {
    const { rows } = await query(
      `select stream || '@' || revision as name from log.event where position = ${position}`,
    );
    return rows[0]?.name;
  };

  it.each(['data', 'meta', 'type', 'recorded_at', 'id', 'version'])(
    'is found changed if the %s of one event was changed',
    async (column) => {
      const to =
        {
          recorded_at: `recorded_at + interval '1 ms'`,
          id: 'gen_random_uuid()',
          version: '2',
          type: `type || 'x'`,
        }[column] ?? `replace(${column}, 'a', 'b')`;
      await query(`update log.event set ${column} = ${to} where position = 17`);
      expect(await found()).toEqual([{ kind: 'changed', entry: 17, name: await placeOf(17) }]);
    },
  );

  it('is found changed if one event is no longer JSON', async () => {
    await query(`update log.event set data = E'{"what":\\n' where position = 17`);
    expect(await found()).toEqual([{ kind: 'changed', entry: 17, name: await placeOf(17) }]);
  });

  it.each([1, 17, 40])('is found changed if event %i was dropped', async (position) => {
    const name = await placeOf(position);
    await query(`delete from log.event where position = ${position}`);
    expect(await found()).toEqual([{ kind: 'missing', entry: position, name }]);
  });

  it('is found changed if its end was cut off together with the leaves', async () => {
    await query('delete from log.event where position > 30');
    await query('update app.tree set size = 30');
    await query('delete from app.tree_run where first >= 30');
    await query(`update app.tree_run set names = names[:30 - first], hashes = substr(hashes, 1, (30 - first::int) * 32)
      where first + cardinality(names) > 30`);
    expect(await found()).toEqual([{ kind: 'short', entry: 31, other: 40, name: null }]);
  });

  it('is found intact if only its tree is behind, as for a new copy', async () => {
    await query('update app.tree set size = 0');
    await query('delete from app.tree_run');
    expect(await found()).toEqual([]);
  });

  it('is found changed if an event was changed and the leaves were removed', async () => {
    await query(`update log.event set data = '{"what":"forged"}' where position = 17`);
    await query('update app.tree set size = 0');
    await query('delete from app.tree_run');
    expect(await found()).toEqual([{ kind: 'unsigned', entry: 1, other: 40, name: null }]);
  });

  it('is found changed if two events were swapped', async () => {
    await query('update log.event set position = -position where position in (5, 31)');
    await query('update log.event set position = 36 + position where position < 0');
    expect(await found()).toMatchObject([{ kind: 'swapped', entry: 5, other: 31 }]);
  });

  it('is found changed if an event was inserted', async () => {
    await shift(23);
    expect(await found()).toEqual([{ kind: 'added', entry: 23, name: 'city-77@99' }]);
  });

  it('is found changed if an event and its leaf were changed, or a checkpoint was forged', async () => {
    await query(`update app.tree_run set hashes = overlay(hashes placing '\\x00' from 4) where first = 0`);
    expect(await found()).toContainEqual({ kind: 'unsigned', entry: 1, other: 40, name: null });
    await query(`update app.tree_checkpoint set note = replace(note, 'reprise', 'encores')`);
    expect(await found()).toContainEqual({ kind: 'forged', entry: 40, name: null });
  });
});
