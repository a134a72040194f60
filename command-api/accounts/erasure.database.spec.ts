import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Transport } from '#infra/mail/mailer.ts';
import { createOutbox, sendMails } from '#infra/mail/outbox.ts';
import { migratedDatabase } from '#tests/kit/database.ts';
import { atTheEnd } from '#tests/kit/endings.ts';
import { sweepsOf } from './erasure.ts';

const database = migratedDatabase();
const forget = async (): Promise<void> => undefined;

it('read models hold nothing of an erased person, not even those from before a rebuild', async () => {
  const { pool } = database;
  const accountId = randomUUID();
  for (const schema of ['read', 'read_next', 'read_previous'])
    await pool.query(
      `create schema ${schema}; create table ${schema}.person as select '${accountId}'::uuid as account_id`,
    );
  for (const sweep of sweepsOf({ pool, transport: { forget } })) await sweep(accountId);
  for (const schema of ['read', 'read_next', 'read_previous'])
    expect((await pool.query(`select * from ${schema}.person`)).rows).toEqual([]);
});

it('an erasure wipes the secret links of a person’s mails, and their copies once the current mail is sent', async () => {
  const { pool } = database;
  const about = { accountId: 'ann', data: { token: 'secret' } } as const;
  await createOutbox(pool).enqueue({ ...about, kind: 'password-changed', key: 'under way' });
  const begun = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const copies = new Set<string>();
  const transport: Transport = {
    async send(_message, id) {
      begun.resolve();
      await go.promise;
      copies.add(id);
    },
    forget: async (ids) => {
      for (const id of ids) copies.delete(id);
    },
    close: async () => undefined,
  };
  const compose = async () => ({ to: 'ann@example.com', subject: 'Hi', html: 'Hi', text: 'Hi' });
  const queue = sendMails({ pool, transport, compose });
  atTheEnd(queue.stop);
  atTheEnd(() => go.resolve());
  await begun.promise;
  await createOutbox(pool).enqueue({ ...about, kind: 'verify-email', key: 'waits' });
  const [, wipe, forgetCopies] = sweepsOf({ pool, transport });
  await wipe?.('ann');
  const { rows } = await pool.query(`select data, given_up from app.outbox where key = 'waits'`);
  expect(rows).toEqual([{ data: {}, given_up: 'the account was deleted' }]);
  let isForgotten = false;
  const forgetting = forgetCopies?.('ann').then(() => {
    isForgotten = true;
  });
  await pause(100);
  expect(isForgotten).toBe(false);
  go.resolve();
  await forgetting;
  expect(copies).toEqual(new Set());
});
