import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { SubjectErased } from '#infra/keys/key-store.ts';
import { createPostgresKeyStore } from '#infra/keys/postgres.ts';
import { migratedDatabase } from '#tests/kit/database.ts';
import { MemoryEventLog } from '#tests/kit/memory-log.ts';
import { applyErasures } from './apply-erasures.ts';

const database = migratedDatabase();

it('restored keys of people whom the log reports as erased are destroyed again', async () => {
  const { pool } = database;
  const log = new MemoryEventLog();
  const keys = createPostgresKeyStore({ pool, masterKey: new Uint8Array(randomBytes(32)) });
  const happened = (stream: string, type: string, data: object) =>
    log.append([
      {
        stream,
        expected: 'any',
        events: [{ id: randomUUID(), type, version: 1, data: JSON.stringify(data), meta: '{}' }],
      },
    ]);
  const erase = (accountId: string) => happened(`account-${accountId}`, 'AccountErased', { accountId });
  await Promise.all(['ada', 'ben', 'eve'].map((subject) => keys.sealing(subject)));
  await erase('ada');
  expect(await applyErasures(pool, log, keys)).toEqual(['ada']);
  await expect((async () => keys.sealing('ada'))()).rejects.toThrow(SubjectErased);

  // a backup of the keys is taken here, and restored after this erasure
  await erase('ben');
  expect(await applyErasures(pool, log, keys)).toEqual(['ben']);
  await expect((async () => keys.sealing('ben'))()).rejects.toThrow(SubjectErased);
  expect(await applyErasures(pool, log, keys)).toEqual([]);
  await pool.query('delete from keys.erasures_applied');
  expect(await applyErasures(pool, log, keys)).toEqual(['ada', 'ben']);
  expect((await keys.sealing('eve')).subject).toBe('eve');

  await happened('newsletter-ab12', 'NewsletterErased', { subscription: 'ab12', keys: ['one', 'two'] });
  expect(await applyErasures(pool, log, keys)).toEqual(['newsletter-one', 'newsletter-two']);
  await expect((async () => keys.sealing('newsletter-two'))()).rejects.toThrow(SubjectErased);

  // Keys that were backed up a little later than the log have looked further than it reaches.
  await pool.query(`update keys.erasures_applied set position = '00000000000000009999'`);
  await erase('eve');
  expect(await applyErasures(pool, log, keys)).toContain('eve');
  expect(await applyErasures(pool, log, keys)).toEqual([]);
  await keys.close();
});
