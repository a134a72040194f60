import type { CommandDeps } from '#command-api/deps/deps.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { TEST } from './send.ts';

export const webhookMessages = ({ pool }: CommandDeps['database']) => ({
  async test(
    hookId: number,
    { messageId, now }: { readonly messageId: string; readonly now: Date },
  ): Promise<void> {
    const body = JSON.stringify({ type: TEST, timestamp: now.toISOString(), data: { webhook: hookId } });
    await pool.query(
      'INSERT INTO app.hook_delivery (hook_id, message_id, type, body) VALUES ($1, $2, $3, $4)',
      [hookId, messageId, TEST, body],
    );
  },

  /** @throws Refusal NOT_FOUND */
  async webhookOf(id: number): Promise<number> {
    const { rows } = await pool.query<{ hook: number }>(
      'SELECT hook_id AS hook FROM app.hook_delivery WHERE id = $1',
      [id],
    );
    if (!rows[0]) throw new Refusal('NOT_FOUND');
    return rows[0].hook;
  },

  async again(id: number): Promise<void> {
    await pool.query(
      `UPDATE app.hook_delivery SET status = 'waiting', tries = 0, asked_at = now(), due_at = now() WHERE id = $1`,
      [id],
    );
  },
});
