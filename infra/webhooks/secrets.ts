import type { KeyObject } from 'node:crypto';
import type { Pool } from 'pg';
import { createTextSealer } from '#infra/keys/cipher.ts';
import { newSecret } from './sign.ts';

export interface WebhookSecrets {
  /** Creates a webhook's first secret, or returns the existing one. */
  first(hookId: number): Promise<string>;
  /** Creates a new secret; the former one stays valid for a day. */
  renew(hookId: number): Promise<{ readonly secret: string; readonly formerUntil: Date }>;
  valid(hookId: number): Promise<readonly string[]>;
}

/** @param key must not change with the master key, so that receivers keep their secrets */
export const createWebhookSecrets = (pool: Pool, key: KeyObject): WebhookSecrets => {
  const sealer = createTextSealer(key.export(), 'hook secrets');
  const contextOf = (hookId: number): string => `hook ${hookId}`;
  const add = async (hookId: number): Promise<string> => {
    const secret = newSecret();
    await pool.query('INSERT INTO app.hook_secret (hook_id, sealed) VALUES ($1, $2)', [
      hookId,
      sealer.seal(contextOf(hookId), secret),
    ]);
    return secret;
  };
  const valid = async (hookId: number): Promise<readonly string[]> => {
    const { rows } = await pool.query<{ sealed: string }>(
      'SELECT sealed FROM app.hook_secret WHERE hook_id = $1 AND (until IS NULL OR until > now()) ORDER BY id DESC',
      [hookId],
    );
    return rows.flatMap(({ sealed }) => sealer.open(contextOf(hookId), sealed) ?? []);
  };
  return {
    valid,
    first: async (hookId) => (await valid(hookId))[0] ?? add(hookId),
    async renew(hookId) {
      const { rows } = await pool.query<{ until: Date }>(`SELECT now() + interval '1 day' AS until`);
      const formerUntil = rows[0]?.until ?? new Date();
      await pool.query('UPDATE app.hook_secret SET until = $2 WHERE hook_id = $1 AND until IS NULL', [
        hookId,
        formerUntil,
      ]);
      return { secret: await add(hookId), formerUntil };
    },
  };
};
