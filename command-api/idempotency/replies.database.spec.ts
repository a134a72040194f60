import { randomBytes } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { createReplies, type KeyedRequest, KeyReused, type Reply } from '#command-api/idempotency/replies.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { migratedDatabase } from '#tests/kit/database.ts';

const database = migratedDatabase();

let keys = 0;
const newRequest = (over: Partial<KeyedRequest> = {}): KeyedRequest => ({
  user: 'ann',
  key: `key-${keys++}`,
  call: 'POST /api/bookings',
  body: { eventId: 1, quantity: 2 },
  ...over,
});
const setUp = () => {
  const clock = { now: new Date('2026-11-21T10:00:00Z') };
  const replies = createReplies({ pool: database.pool, masterKey: randomBytes(32), now: () => clock.now });
  let ids = 0;
  const allocate = () => ({ bookingId: ++ids });
  const execute = vi.fn(
    async ({ bookingId }: { bookingId: number }): Promise<Reply> => ({
      status: 201,
      body: { bookingId },
    }),
  );
  return { clock, replies, allocate, execute };
};

describe('stored replies', () => {
  it('answer a repeated request without executing it again', async () => {
    const { replies, allocate, execute } = setUp();
    const request = newRequest();
    const first = await replies.once(request, allocate, execute);
    expect(await replies.once({ ...request, body: { quantity: 2, eventId: 1 } }, allocate, execute)).toEqual(
      first,
    );
    expect(first).toEqual({ status: 201, body: { bookingId: 1 } });
    expect(execute).toHaveBeenCalledTimes(1);
  });

  it('belong to one user and one request', async () => {
    const { replies, allocate, execute } = setUp();
    const request = newRequest();
    await replies.once(request, allocate, execute);
    await expect(replies.once({ ...request, body: { eventId: 2 } }, allocate, execute)).rejects.toThrow(
      KeyReused,
    );
    await expect(replies.once({ ...request, call: 'POST /api/other' }, allocate, execute)).rejects.toThrow(
      KeyReused,
    );
    expect(await replies.once({ ...request, user: 'bob' }, allocate, execute)).toMatchObject({
      body: { bookingId: 2 },
    });
  });

  it('are not stored for a refused request without ids, so refusals do not fill the table', async () => {
    const { replies } = setUp();
    const rows = async (): Promise<number> =>
      (await database.pool.query('select from app.keyed_request where user_id = $1', ['flood'])).rows.length;
    const ask = (key: string, error: Error, ids: object = {}) =>
      replies.once(
        newRequest({ user: 'flood', key }),
        () => ids,
        () => Promise.reject(error),
      );
    const refusal = new Refusal('BOOKING_NOT_CANCELLABLE');
    await expect(ask('refused', refusal)).rejects.toThrow(refusal);
    expect(await rows()).toBe(0);
    // Of these something may have been done: a repeat must be the same request.
    await expect(ask('cut off', new Refusal('UNAVAILABLE'))).rejects.toThrow();
    await expect(ask('broken', new Error('boom'))).rejects.toThrow();
    await expect(ask('with ids', refusal, { bookingId: 1 })).rejects.toThrow();
    expect(await rows()).toBe(3);
  });

  it('are not stored when execution fails, but the allocated ids are', async () => {
    const { replies, allocate, execute } = setUp();
    const request = newRequest();
    execute.mockImplementationOnce(async () => {
      const { rows } = await database.pool.query(
        'SELECT allocated FROM app.keyed_request ORDER BY requested_at, ctid DESC LIMIT 1',
      );
      expect(rows[0].allocated).toBe('{"bookingId":1}');
      throw new Error('killed');
    });
    await expect(replies.once(request, allocate, execute)).rejects.toThrow('killed');
    execute.mockImplementationOnce(async () => ({ status: 503, body: {} }));
    expect(await replies.once(request, allocate, execute)).toMatchObject({ status: 503 });
    expect(await replies.once(request, allocate, execute)).toEqual({ status: 201, body: { bookingId: 1 } });
  });

  it('are shared by two equal requests that arrive at the same moment', async () => {
    const { replies, execute } = setUp();
    let ids = 0;
    const request = newRequest();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => replies.once(request, () => ({ bookingId: ++ids }), execute)),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  it('are sealed at rest', async () => {
    const { replies, allocate } = setUp();
    const request = newRequest({ user: 'cy' });
    await replies.once(request, allocate, async () => ({ status: 201, body: { firstName: 'Cyprian' } }));
    const { rows } = await database.pool.query(`SELECT * FROM app.keyed_request WHERE user_id = 'cy'`);
    expect(rows[0].reply).toMatch(/^[\w+/]+=*$/);
    expect(Buffer.from(rows[0].reply, 'base64').includes('Cyprian')).toBe(false);
    expect(JSON.stringify(rows[0])).not.toContain(request.key);
  });

  it('are kept for 24 hours and then swept, after which the key can be used again', async () => {
    const { clock, replies, allocate, execute } = setUp();
    const request = newRequest();
    await replies.once(request, allocate, execute);
    clock.now = new Date(clock.now.getTime() + 24 * 3_600_000 - 1);
    expect(await replies.once(request, allocate, execute)).toMatchObject({ body: { bookingId: 1 } });
    clock.now = new Date(clock.now.getTime() + 1);
    expect(await replies.once({ ...request, body: 'another' }, allocate, execute)).toMatchObject({
      body: { bookingId: 2 },
    });
    clock.now = new Date(clock.now.getTime() + 24 * 3_600_000);
    expect(await replies.sweep()).toBeGreaterThan(0);
    expect(await replies.sweep()).toBe(0);
  });

  it('of an erased user are deleted', async () => {
    const { replies, allocate, execute } = setUp();
    const request = newRequest({ user: 'dee' });
    await replies.once(request, allocate, async (ids) => {
      await replies.forget('dee');
      return execute(ids);
    });
    const { rows } = await database.pool.query(`SELECT * FROM app.keyed_request WHERE user_id = 'dee'`);
    expect(rows).toEqual([]);
  });
});
