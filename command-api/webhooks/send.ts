/** At least once, in the log's order for each hook. */
import type { Pool } from 'pg';
import { type Lane, systemContext } from '#command-api/lane/lane.ts';
import type { StopReason } from '#domain/hook/events.ts';
import { HOOKS, type Hook, type Hooks, hook } from '#domain/hook/hook.ts';
import type { Clock } from '#infra/lib/clock.ts';
import { backOff, pause } from '#infra/lib/outage.ts';
import { type HookSecrets, type Posted, post, signedHeaders } from '#infra/webhooks/webhooks.ts';

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
 * The next message of each hook. A message that failed holds up those after it for its first tries, so that a short outage changes no order.
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
}

export interface SendParts {
  readonly pool: Pool;
  readonly lane: Pick<Lane, 'as'>;
  readonly clock: Clock;
  readonly secrets: HookSecrets;
  /** Public addresses only. */
  readonly locked: boolean;
  hooks(): Hooks;
  onError(error: unknown): void;
}

interface Bell {
  ring(): void;
  /** Resolves on a ring (also one since the last call), on timeout, or on abort. */
  heard(milliseconds: number, signal: AbortSignal): Promise<void>;
}

const createBell = (): Bell => {
  let rung = false;
  let wake = (): void => undefined;
  return {
    ring() {
      rung = true;
      wake();
    },
    async heard(milliseconds, signal) {
      if (!rung)
        await Promise.race([new Promise<void>((done) => (wake = done)), pause(milliseconds, signal)]);
      rung = false;
    },
  };
};

export const createSender = (parts: SendParts) => {
  const { pool, lane, clock, secrets, locked } = parts;
  const bell = createBell();

  const record = (message: Message, status: string, at: Date, posted: Posted): Promise<unknown> =>
    pool.query(
      `UPDATE app.hook_delivery SET status = $2, tries = tries + 1, tried_at = $3, attempts = attempts || $4::jsonb,
          due_at = now() + $5 * interval '1 millisecond' WHERE id = $1 AND status = 'waiting'`,
      [
        message.id,
        status,
        at,
        JSON.stringify([{ at: at.toISOString(), ...posted }]),
        backOff(message.tries, FIRST_PAUSE, LONGEST_PAUSE),
      ],
    );

  const stop = (hookId: number, why: StopReason): Promise<unknown> =>
    lane.as(systemContext(clock, 'hooks')).ask(hook, HOOKS, { type: 'StopHook', hookId, why });

  const deliver = async ({ url, hookId }: Hook, message: Message, signal: AbortSignal): Promise<void> => {
    const { messageId, body, isLast } = message;
    const at = clock();
    const headers = signedHeaders(messageId, body, at, await secrets.valid(hookId));
    const posted = await post(url, headers, body, { locked, signal });
    if (signal.aborted && posted.status === null) return;
    const status = posted.status ?? 0;
    if (status >= 200 && status < 300) await record(message, 'sent', at, posted);
    else if (message.type === TEST) await record(message, 'failed', at, posted);
    else {
      await record(message, isLast || status === GONE ? 'failed' : 'waiting', at, posted);
      if (status === GONE) await stop(hookId, 'gone');
      else if (isLast) await stop(hookId, 'failing');
    }
  };

  return {
    wake: bell.ring,
    async send(signal: AbortSignal): Promise<void> {
      const underWay = new Map<number, Promise<void>>();
      while (!signal.aborted) {
        const hooks = parts.hooks();
        const free = [...hooks.values()].filter((one) => one.isActive && !underWay.has(one.hookId));
        const { rows } =
          free.length > 0
            ? await pool.query<Message>(NEXT, [free.map(({ hookId }) => hookId)])
            : { rows: [] };
        for (const message of rows) {
          const to = hooks.get(message.hookId);
          if (!to) continue;
          const done = deliver(to, message, signal)
            .catch(parts.onError)
            .finally(() => {
              underWay.delete(message.hookId);
              bell.ring();
            });
          underWay.set(message.hookId, done);
        }
        await bell.heard(EVERY, signal);
      }
      await Promise.all(underWay.values());
    },
  };
};

export const sweepDeliveries = async (pool: Pool): Promise<void> => {
  await pool.query(`DELETE FROM app.hook_delivery WHERE created_at < now() - interval '30 days'`);
  await pool.query('DELETE FROM app.hook_secret WHERE until < now()');
};
