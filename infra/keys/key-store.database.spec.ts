import { randomBytes } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { migratedDatabase } from '#tests/kit/database.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { createMemoryKeyStore } from '#tests/kit/memory-keys.ts';
import { type KeyStore, SubjectErased, WrongMasterKey } from './key-store.ts';
import { createPostgresKeyStore, type PostgresKeyStoreOptions } from './postgres.ts';
import { destroyOldSupportKeys } from './support-keys.ts';
import { destroyOldVisitorKeys } from './visitor-keys.ts';

const database = migratedDatabase();
const masterKey = new Uint8Array(randomBytes(32));

/** However slow the machine: what is waited for comes. */
const PATIENCE = 25_000;
/** Longer than any spec runs, in milliseconds. */
const LONG = 3_600_000;

const postgres = (options: Partial<PostgresKeyStoreOptions> = {}): KeyStore =>
  createPostgresKeyStore({ pool: database.pool, masterKey, ...options });
let subjects = 0;
const newSubject = (): string => `subject-${subjects++}`;

for (const [name, newStore] of [
  ['memory', createMemoryKeyStore],
  ['PostgreSQL', postgres],
] as const)
  describe(`keys in ${name}`, () => {
    it('are made on first use and stay the same', async () => {
      const keys = newStore();
      const subject = newSubject();
      const key = await keys.sealing(subject);
      expect(key).toMatchObject({ subject, version: 1 });
      expect(key.key.symmetricKeySize).toBe(32);
      expect(await keys.sealing(subject)).toEqual(key);
      expect(await keys.fetch([{ subject, version: 1 }])).toEqual([key]);
      expect((await keys.sealing(newSubject())).key.equals(key.key)).toBe(false);
    });

    it('cannot be used again once destroyed: values stay sealed and no new key is made', async () => {
      const keys = newStore();
      const subject = newSubject();
      await keys.sealing(subject);
      await keys.destroy(subject);
      await keys.destroy(subject);
      expect(keys.opening({ subject, version: 1 })).toBe('gone');
      expect(await keys.fetch([{ subject, version: 1 }])).toEqual(['gone']);
      await expect((async () => keys.sealing(subject))()).rejects.toThrow(SubjectErased);
      await expect(keys.rotate(subject)).rejects.toThrow(SubjectErased);
    });

    it('can be destroyed for a subject that never had one', async () => {
      const keys = newStore();
      const subject = newSubject();
      await keys.destroy(subject);
      await expect((async () => keys.sealing(subject))()).rejects.toMatchObject({ code: 'ERASED', subject });
    });

    it('can be rotated: new values use the new version, old values can still be opened', async () => {
      const keys = newStore();
      const subject = newSubject();
      const first = await keys.sealing(subject);
      const second = await keys.rotate(subject);
      expect(second.version).toBe(2);
      expect(await keys.sealing(subject)).toEqual(second);
      expect(
        await keys.fetch([
          { subject, version: 2 },
          { subject, version: 1 },
        ]),
      ).toEqual([second, first]);
    });

    it('for addresses are destroyed 90 days after their month, and not earlier', async () => {
      const keys = newStore();
      for (const month of ['2026-07', '2026-08', '2026-09']) await keys.sealing(`visitor-${month}`);
      // August ended 90 days before 30 November.
      expect(await destroyOldVisitorKeys(keys, new Date('2026-11-29T23:59:59Z'))).toEqual([
        'visitor-2026-07',
      ]);
      expect(await destroyOldVisitorKeys(keys, new Date('2026-11-30T00:00:00Z'))).toEqual([
        'visitor-2026-08',
      ]);
      expect(await keys.list('visitor-')).toEqual(['visitor-2026-09']);
    });

    it('for visitors’ support messages are destroyed after two years, and not earlier', async () => {
      const keys = newStore();
      const subject = `support-${newSubject()}`;
      await keys.sealing(subject);
      const inYears = (years: number) => new Date(Date.now() + years * 366 * 86_400_000);
      expect(await destroyOldSupportKeys(keys, inYears(1.9))).not.toContain(subject);
      expect(await destroyOldSupportKeys(keys, inYears(2.01))).toContain(subject);
      expect(await keys.list('support-')).not.toContain(subject);
    });
  });

describe('keys in PostgreSQL, between processes', () => {
  it('are wrapped at rest', async () => {
    const subject = newSubject();
    const { key } = await postgres().sealing(subject);
    const { rows } = await database.pool.query('SELECT wrapped FROM keys.subject_key WHERE subject = $1', [
      subject,
    ]);
    expect(rows[0].wrapped.includes(key.export())).toBe(false);
    const other = postgres({ masterKey: new Uint8Array(randomBytes(32)) });
    await expect(other.fetch([{ subject, version: 1 }])).rejects.toThrow(WrongMasterKey);
    await expect((async () => other.sealing(subject))()).rejects.toThrow(WrongMasterKey);
  });

  it('are made once, whatever the number of processes', async () => {
    const stores = Array.from({ length: 4 }, () => postgres());
    const wanted = Array.from({ length: 50 }, newSubject);
    const made = await Promise.all(
      stores.map((keys, i) =>
        Promise.all((i % 2 ? wanted : wanted.toReversed()).map((subject) => keys.sealing(subject))),
      ),
    );
    const bySubject = new Map<string, Set<string>>();
    for (const { subject, key } of made.flat())
      bySubject.set(subject, (bySubject.get(subject) ?? new Set()).add(key.export().toString('hex')));
    expect([...bySubject.values()].map((keys) => keys.size)).toEqual(wanted.map(() => 1));
  });

  it('are fetched in one query for all values needed at once', async () => {
    const wanted = Array.from({ length: 30 }, newSubject);
    const [keys, late] = [postgres({ freshFor: LONG }), postgres()];
    // What the master key opens is read once.
    for (const store of [keys, late]) await store.sealing(newSubject());
    const query = vi.spyOn(database.pool, 'query');
    await Promise.all(wanted.map((subject) => keys.sealing(subject)));
    expect(query).toHaveBeenCalledTimes(3);
    expect(keys.sealing(wanted[0] ?? '')).not.toBeInstanceOf(Promise);
    query.mockClear();
    const found = await late.fetch(wanted.map((subject) => ({ subject, version: 1 })));
    expect(found.every((key) => key !== 'gone')).toBe(true);
    expect(query).toHaveBeenCalledTimes(1);
    query.mockRestore();
  });

  it('are dropped from the cache when another process destroys them', async () => {
    const keys = postgres({ listenUrl: database.url, freshFor: LONG });
    const subject = newSubject();
    // A connection that has done its LISTEN and waits hears of whatever is committed from now on.
    await vi.waitFor(async () => {
      const { rows } = await database.pool.query(
        `SELECT 1 FROM pg_stat_activity
          WHERE datname = current_database() AND state = 'idle' AND query LIKE 'LISTEN%keys_destroyed%'`,
      );
      expect(rows).toHaveLength(1);
    }, PATIENCE);
    await keys.sealing(subject);
    const heard: (string | undefined)[] = [];
    keys.onDestroyed((gone) => heard.push(gone));
    await postgres().destroy(subject);
    await vi.waitFor(() => expect(keys.opening({ subject, version: 1 })).toBe('gone'), PATIENCE);
    expect(heard).toEqual([subject]);
    expect(() => keys.sealing(subject)).toThrow(SubjectErased);
    await keys.close();
  });

  it('are fetched again after a bounded time if no notice arrives', async () => {
    const keys = postgres({ freshFor: 1 });
    const subject = newSubject();
    await keys.sealing(subject);
    await postgres().destroy(subject);
    await eventually(() => expect((async () => keys.sealing(subject))()).rejects.toThrow(SubjectErased));
  });

  it('never come back in a race between making and destroying', async () => {
    for (let i = 0; i < 40; i++) {
      const subject = newSubject();
      await Promise.allSettled([(async () => postgres().sealing(subject))(), postgres().destroy(subject)]);
      const { rows } = await database.pool.query('SELECT 1 FROM keys.subject_key WHERE subject = $1', [
        subject,
      ]);
      expect(rows).toHaveLength(0);
      await expect((async () => postgres().sealing(subject))()).rejects.toThrow(SubjectErased);
    }
  });

  it('are cached in a bounded number', async () => {
    const keys = postgres({ cacheSize: 5, freshFor: LONG });
    const wanted = Array.from({ length: 12 }, newSubject);
    await Promise.all(wanted.map((subject) => keys.sealing(subject)));
    const atHand = wanted.filter((subject) => keys.opening({ subject, version: 1 }));
    expect(atHand).toEqual(wanted.slice(-5));
    expect(await keys.fetch(wanted.map((subject) => ({ subject, version: 1 })))).not.toContain('gone');
  });
});
