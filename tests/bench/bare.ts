/**
 * The baselines: what one would write without an event log. Fastify, the same sessions and CSRF checks, one locked row,
 * `SELECT … FOR UPDATE`, update, insert, commit.
 */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { createBookingRequest } from '#domain/contracts/bookings.ts';
import { createPaymentIntentRequest } from '#domain/contracts/payments.ts';
import type { App } from '#infra/http/server.ts';
import { inTransaction } from '#infra/postgres/transaction.ts';

const LOCKED = 'select capacity, held, sold from bare_stock where id = 1 for update';

/** A hold and a booking on one row of stock, each in a transaction of its own. */
export const bareBooking = async (app: App, pool: pg.Pool): Promise<void> => {
  await pool.query(`
    create table bare_stock (id integer primary key, capacity integer not null, held integer not null, sold integer not null);
    create table bare_hold (id uuid primary key, account_id text not null, quantity integer not null, until timestamptz not null);
    create table bare_sale (id uuid primary key, account_id text not null, quantity integer not null, total integer not null,
      placed_at timestamptz not null default now());
    insert into bare_stock values (1, 1000000000, 0, 0)`);
  const holds = new Map<string, string>();

  app.post(
    '/api/create-payment-intent',
    { config: { capability: 'buy', limit: 'intent' }, schema: { body: createPaymentIntentRequest } },
    async (request) => {
      const { quantity } = request.body;
      const account = request.principal.accountId ?? '';
      const id = randomUUID();
      await inTransaction(pool, async (client) => {
        const { rows } = await client.query(LOCKED);
        if (rows[0].capacity - rows[0].held - rows[0].sold < quantity) throw new Error('sold out');
        await client.query('update bare_stock set held = held + $1 where id = 1', [quantity]);
        const hold = `insert into bare_hold values ($1, $2, $3, now() + interval '15 minutes')`;
        await client.query(hold, [id, account, quantity]);
      });
      holds.set(account, id);
      return { clientSecret: id, paymentIntentId: id, amount: '28.50' };
    },
  );

  app.post(
    '/api/bookings',
    { config: { capability: 'buy', limit: 'booking' }, schema: { body: createBookingRequest } },
    async (request, reply) => {
      const { quantity, totalAmount } = request.body;
      const account = request.principal.accountId ?? '';
      const id = randomUUID();
      await inTransaction(pool, async (client) => {
        await client.query(LOCKED);
        const sell = 'update bare_stock set held = held - $1, sold = sold + $1 where id = 1';
        await client.query(sell, [quantity]);
        const sale = 'insert into bare_sale (id, account_id, quantity, total) values ($1, $2, $3, $4)';
        await client.query(sale, [id, account, quantity, totalAmount]);
        await client.query('delete from bare_hold where id = $1', [holds.get(account)]);
      });
      return reply.code(201).send({ id, status: 'confirmed', quantity });
    },
  );
};

/** A ticket's row, locked and marked. */
export const bareDoor = async (app: App, pool: pg.Pool): Promise<void> => {
  await pool.query(`
    create table if not exists bare_ticket (id integer primary key, scanned_at timestamptz, scanned_by text);
    insert into bare_ticket select generate_series(1, 100000) on conflict do nothing`);
  app.post('/bare/scan', { config: { capability: 'scan-tickets', limit: 'scan' } }, async (request) => {
    const { id } = request.body as { id: number };
    return inTransaction(pool, async (client) => {
      const locked = 'select scanned_at from bare_ticket where id = $1 for update';
      if ((await client.query(locked, [id])).rows[0]?.scanned_at) return { valid: false };
      const mark = 'update bare_ticket set scanned_at = now(), scanned_by = $2 where id = $1';
      await client.query(mark, [id, request.principal.accountId]);
      return { valid: true };
    });
  });
};

/** Answers so many bytes from memory. */
export const bareBytes = async (app: App, bytes: number): Promise<void> => {
  const body = Buffer.alloc(bytes, 'x');
  app.get('/api/events', { config: { capability: 'browse', session: 'ignored' } }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(body),
  );
};
