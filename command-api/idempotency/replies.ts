/** For `Idempotency-Key`. Ids are stored before the execution, so that a repeat uses the same. Replies are kept for 24 hours. */
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { Refusal } from '#domain/kernel/refusal.ts';
import { canonicalJson } from '#infra/event-log/canonical-json.ts';
import { createTextSealer } from '#infra/keys/cipher.ts';

export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface KeyedRequest {
  readonly user: string;
  readonly key: string;
  readonly call: string;
  readonly body: unknown;
}

/** 422 `KEY_REUSED`: the key came with another call or body. */
export class KeyReused extends Error {
  override readonly name = 'KeyReused';
  readonly code = 'KEY_REUSED';
}

export interface Replies {
  /**
   * Allocates ids (JSON) the first time. Keeps replies below 500. If `execute` throws, a repeat executes
   * again with the same ids; a refusal without ids keeps nothing. Concurrent requests return the reply
   * stored first.
   * @throws KeyReused
   */
  once<Allocated extends object>(
    request: KeyedRequest,
    allocate: () => Allocated | Promise<Allocated>,
    execute: (allocated: Allocated) => Promise<Reply>,
  ): Promise<Reply>;

  forget(user: string): Promise<void>;

  sweep(): Promise<number>;
}

/** Milliseconds. */
const REPLIES_KEPT_FOR = 24 * 3_600_000;

export interface RepliesOptions {
  readonly pool: Pool;
  readonly masterKey: Uint8Array;
  readonly now: () => Date;
}

interface Row {
  readonly request_hash: Buffer;
  readonly allocated: string;
  readonly reply: string | null;
}

const NO_IDS = '{}';

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

export const createReplies = ({ pool, masterKey, now }: RepliesOptions): Replies => {
  const sealer = createTextSealer(masterKey, 'replies');

  const claim = async (
    user: string,
    keyHash: Buffer,
    requestHash: Buffer,
    allocate: () => object | Promise<object>,
  ): Promise<Row> => {
    const oldest = new Date(now().getTime() - REPLIES_KEPT_FOR);
    const find = async (): Promise<Row | undefined> => {
      const { rows } = await pool.query<Row>(
        `SELECT request_hash, allocated, reply FROM app.keyed_request
          WHERE user_id = $1 AND key_hash = $2 AND requested_at > $3`,
        [user, keyHash, oldest],
      );
      return rows[0];
    };
    const known = await find();
    if (known) return known;
    const allocated = canonicalJson(await allocate());
    const { rows } = await pool.query<Row>(
      `INSERT INTO app.keyed_request AS kept (user_id, key_hash, request_hash, allocated, requested_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (user_id, key_hash) DO UPDATE SET request_hash = excluded.request_hash, allocated = excluded.allocated,
         reply = NULL, requested_at = excluded.requested_at WHERE kept.requested_at <= $6
       RETURNING request_hash, allocated, reply`,
      [user, keyHash, requestHash, allocated, now(), oldest],
    );
    const row = rows[0] ?? (await find());
    if (!row) throw new Error('A keyed request vanished while it was being taken');
    return row;
  };

  return {
    async once<Allocated extends object>(
      { user, key, call, body }: KeyedRequest,
      allocate: () => Allocated | Promise<Allocated>,
      execute: (allocated: Allocated) => Promise<Reply>,
    ) {
      const keyHash = sha256(key);
      const requestHash = sha256(canonicalJson([call, body ?? null]));
      const context = JSON.stringify([user, keyHash.toString('hex')]);
      const row = await claim(user, keyHash, requestHash, allocate);
      if (!row.request_hash.equals(requestHash)) throw new KeyReused('This key came with another request');

      const read = (sealed: string | null | undefined): Reply | undefined => {
        const text = sealed ? sealer.open(context, sealed) : undefined;
        return text === undefined ? undefined : (JSON.parse(text) as Reply);
      };
      const kept = read(row.reply);
      if (kept) return kept;

      const reply = await execute(JSON.parse(row.allocated) as Allocated).catch(async (error: unknown) => {
        if (error instanceof Refusal && error.status < 500 && row.allocated === NO_IDS)
          await pool.query(
            'DELETE FROM app.keyed_request WHERE user_id = $1 AND key_hash = $2 AND request_hash = $3 AND reply IS NULL',
            [user, keyHash, requestHash],
          );
        throw error;
      });
      if (reply.status >= 500) return reply;
      const { rows } = await pool.query<{ reply: string }>(
        `UPDATE app.keyed_request SET reply = coalesce(reply, $3) WHERE user_id = $1 AND key_hash = $2 AND request_hash = $4
         RETURNING reply`,
        [user, keyHash, sealer.seal(context, JSON.stringify(reply)), requestHash],
      );
      // The user was erased meanwhile.
      return read(rows[0]?.reply) ?? reply;
    },

    async forget(user) {
      await pool.query('DELETE FROM app.keyed_request WHERE user_id = $1', [user]);
    },

    async sweep() {
      const { rowCount } = await pool.query('DELETE FROM app.keyed_request WHERE requested_at <= $1', [
        new Date(now().getTime() - REPLIES_KEPT_FOR),
      ]);
      return rowCount ?? 0;
    },
  };
};
