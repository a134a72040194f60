/** At least once, in the log's order for each webhook. */
import type { Pool } from 'pg';
import { type CommandHandler, systemContext } from '#command-api/commands/command-handler.ts';
import type { StopReason } from '#domain/webhook/events.ts';
import { HOOKS, type Hooks, hook } from '#domain/webhook/webhook.ts';
import type { Clock } from '#infra/lib/clock.ts';
import { backOff, type Trouble } from '#infra/lib/outage.ts';
import { type Failed, type Queue, runQueue } from '#infra/queue/queue.ts';
import { type Posted, post, signedHeaders, type WebhookSecrets } from '#infra/webhooks/webhooks.ts';

export const TEST = 'test';

/** Failed tries after which later messages overtake. */
const HOLDS_UP = 3;
/** The pauses are in milliseconds. */
const GIVEN_UP_AFTER = '3 days';
const FIRST_PAUSE = 5_000;
const LONGEST_PAUSE = 6 * 3_600_000;
/** Milliseconds. */
const EVERY = 1_000;
const GONE = 410;

/**
 * The next message of each webhook. A message that failed holds up those after it for its first tries, so that a short outage changes no order.
 * Each part reads by an index of its own (`migrations/101-hook-deliveries-due.sql`), however many messages wait; OFFSET 0 keeps the
 * planner from looking for the lowest id in the whole table. @internal
 */
export const NEXT = `
  SELECT id, hook_id AS "hookId", message_id AS "messageId", type, body, tries,
      asked_at < now() - interval '${GIVEN_UP_AFTER}' AS "isLast"
    FROM unnest($1::integer[]) AS hook (id_of_hook)
   CROSS JOIN LATERAL (
     (SELECT * FROM (
        SELECT * FROM app.hook_delivery
         WHERE hook_id = id_of_hook AND status = 'waiting' AND tries < ${HOLDS_UP} ORDER BY id LIMIT 1) AS held_up_by
       WHERE due_at <= now())
     UNION ALL
     (SELECT * FROM (
        SELECT * FROM app.hook_delivery
         WHERE hook_id = id_of_hook AND status = 'waiting' AND tries >= ${HOLDS_UP} AND due_at <= now() OFFSET 0) AS passed
       ORDER BY id LIMIT 1)
     ORDER BY id LIMIT 1) AS next`;

interface Message {
  readonly id: number;
  readonly hookId: number;
  readonly messageId: string;
  readonly type: string;
  readonly body: string;
  readonly tries: number;
  readonly isLast: boolean;
  /** The attempt to record, once it was made. */
  readonly posted: (Posted & { readonly at: string })[];
}

export interface SendParts {
  readonly pool: Pool;
  readonly handler: Pick<CommandHandler, 'as'>;
  readonly clock: Clock;
  readonly secrets: WebhookSecrets;
  /** Public addresses only. */
  readonly locked: boolean;
  hooks(): Hooks;
  onError(error: unknown): void;
  readonly trouble: Trouble;
}

type Result = 'done' | { readonly again: Date } | Failed | { readonly givenUp: StopReason | typeof TEST };

/** Only the process that leads the subscription sends, so the rows need no lease. */
export const sendMessages = (parts: SendParts): Queue => {
  const { pool, handler, clock, secrets, locked } = parts;
  return runQueue<Message, Result>({
    // One message of each webhook: a system that answers slowly holds up no other.
    concurrency: Number.POSITIVE_INFINITY,
    every: EVERY,
    onFailure: (_message, error) => parts.onError(error),
    trouble: parts.trouble,

    async claim(room, running) {
      const busy = new Set(running.map(({ hookId }) => hookId));
      const free = [...parts.hooks().values()].filter((one) => one.isActive && !busy.has(one.hookId));
      if (free.length === 0) return [];
      const { rows } = await pool.query<Message>(NEXT, [free.map(({ hookId }) => hookId)]);
      return rows.slice(0, room).map((message) => ({ ...message, posted: [] }));
    },

    async handle({ hookId, messageId, type, body, isLast, posted }, ending) {
      const at = clock();
      const { url = '' } = parts.hooks().get(hookId) ?? {};
      const headers = signedHeaders(messageId, body, at, await secrets.valid(hookId));
      const answer = await post(url, headers, body, { locked, signal: ending });
      // Aborted without an answer: the next process sends it again.
      if (ending.aborted && answer.status === null) return { again: at };
      posted.push({ at: at.toISOString(), ...answer });
      const status = answer.status ?? 0;
      if (status >= 200 && status < 300) return 'done';
      if (type === TEST) return { givenUp: TEST };
      if (status === GONE) return { givenUp: 'gone' };
      return isLast ? { givenUp: 'failing' } : { failed: answer, listed: true };
    },

    async settle({ id, hookId, tries, posted }, outcome) {
      if (outcome !== 'done' && 'again' in outcome) return;
      const givenUp = outcome !== 'done' && 'givenUp' in outcome ? outcome.givenUp : undefined;
      await pool.query(
        `UPDATE app.hook_delivery SET status = $2, tries = tries + 1, tried_at = coalesce($3::timestamptz, tried_at),
            attempts = attempts || $4::jsonb, due_at = now() + $5 * interval '1 millisecond'
          WHERE id = $1 AND status = 'waiting'`,
        [
          id,
          outcome === 'done' ? 'sent' : givenUp ? 'failed' : 'waiting',
          posted[0]?.at,
          JSON.stringify(posted),
          backOff(tries, FIRST_PAUSE, LONGEST_PAUSE),
        ],
      );
      if (givenUp && givenUp !== TEST)
        await handler
          .as(systemContext(clock, 'hooks'))
          .ask(hook, HOOKS, { type: 'StopHook', hookId, why: givenUp });
    },
  });
};

export const sweepDeliveries = async (pool: Pool): Promise<void> => {
  await pool.query(`DELETE FROM app.hook_delivery WHERE created_at < now() - interval '30 days'`);
  await pool.query('DELETE FROM app.hook_secret WHERE until < now()');
};
