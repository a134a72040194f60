/** Turns the log into messages to hooks, each once and in the log's order. */

import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { AnyEvent } from '#domain/all-events.ts';
import { hookTypeOf, logTypesOf, messageOf } from '#domain/answers/hook-message.ts';
import { type HookEvent, hookEvents } from '#domain/hook/events.ts';
import { HOOKS, type Hooks, hook } from '#domain/hook/hook.ts';
import { streamOf } from '#domain/kernel/decider.ts';
import { typesOf } from '#domain/kernel/event.ts';
import { hasReached } from '#infra/event-log/checkpoint.ts';
import { type Codec, isUnreadable } from '#infra/event-log/codec.ts';
import type { EventLog, Position, RecordedEvent } from '#infra/event-log/event-log.ts';
import type { Recorded } from '#infra/event-log/recorded.ts';
import { inTransaction } from '#infra/postgres/transaction.ts';

export interface FollowParts {
  readonly log: EventLog;
  readonly codec: Codec;
  readonly pool: Pool;
  readonly logger: Pick<Logger, 'error'>;
  /** Stands in the follower's row while this process holds the lease on it. */
  readonly holder: string;
  readonly signal: AbortSignal;
  /** Called with all hooks, at first and after each change. */
  onHooks(hooks: Hooks): void;
  /** Called after messages were added. */
  onMessages(): void;
  /** Called after each batch that was dealt with. */
  onWell(): void;
}

const OWN = new Set<string>(typesOf(hookEvents));
/** The longest time between two checkpoints while there is nothing to tell, in milliseconds. */
const LONGEST_UNWRITTEN = 5_000;

/**
 * Where to go on, and the hooks as they were there. On a log that was not followed before it begins with the first hook, or at its
 * end; at its end, too, on one that was put back to before what has been followed.
 */
const beginning = async ({ log, codec, pool }: FollowParts) => {
  const { rows } = await pool.query<{ log_id: string | null; position: Position }>(
    'SELECT log_id, position FROM app.hook_follower',
  );
  const own = await Array.fromAsync(log.readStream(streamOf(hook, HOOKS)));
  const told = rows[0]?.log_id === log.id ? rows[0].position : undefined;
  const known = told !== undefined && (await hasReached(log, told)) ? told : undefined;
  const first = rows[0]?.log_id ? undefined : own[0]?.position;
  const position = known ?? first ?? (await log.head());
  let hooks = hook.initial;
  for (const { event, meta } of await codec.decode<HookEvent>(own.filter((one) => one.position <= position)))
    hooks = hook.evolve(hooks, event, meta.at);
  return { position, hooks };
};

/** Follows the log until the signal aborts. */
export const followLog = async (parts: FollowParts): Promise<void> => {
  const { log, codec, pool, logger, signal, holder } = parts;
  let { position, hooks } = await beginning(parts);
  let written = 0;

  /** Events that this program can read. */
  const read = async (events: readonly RecordedEvent[]): Promise<readonly Recorded<AnyEvent>[]> => {
    const found: Recorded<AnyEvent>[] = [];
    for (const event of events)
      try {
        found.push(...(await codec.decode<AnyEvent>([event])));
      } catch (error) {
        if (!isUnreadable(error)) throw error;
        logger.error({ err: error, stream: event.stream, revision: event.revision }, 'no hook is told of it');
      }
    return found;
  };

  const messagesOf = ({ event, id, recordedAt }: Recorded<AnyEvent>) => {
    const type = hookTypeOf(event.type);
    if (!type) return [];
    return [...hooks.values()]
      .filter((one) => one.isActive && one.types.includes(type))
      .map(({ hookId }) => ({ hookId, id, type, body: messageOf(type, event, recordedAt) }));
  };

  /** Writes messages, what follows for those that wait, and the checkpoint, if this process still holds the lease. */
  const write = (
    to: Position,
    messages: ReturnType<typeof messagesOf>,
    { restarted, removed }: { readonly restarted: readonly number[]; readonly removed: readonly number[] },
  ) =>
    inTransaction(pool, async (client) => {
      const { rowCount } = await client.query(
        'UPDATE app.hook_follower SET log_id = $2, position = $3 WHERE holder = $1',
        [holder, log.id, to],
      );
      if (rowCount !== 1) throw new Error('another process follows the log for hooks');
      await client.query(
        `INSERT INTO app.hook_delivery (hook_id, message_id, type, body)
         SELECT * FROM unnest($1::integer[], $2::text[], $3::text[], $4::text[]) ON CONFLICT DO NOTHING`,
        [
          messages.map(({ hookId }) => hookId),
          messages.map(({ id }) => id),
          messages.map(({ type }) => type),
          messages.map(({ body }) => body),
        ],
      );
      // What waited while its hook stood still is tried for as long as what is new.
      if (restarted.length > 0)
        await client.query(
          `UPDATE app.hook_delivery SET tries = 0, asked_at = now(), due_at = now()
            WHERE hook_id = ANY($1) AND status = 'waiting'`,
          [restarted],
        );
      if (removed.length === 0) return;
      for (const table of ['delivery', 'secret'])
        await client.query(`DELETE FROM app.hook_${table} WHERE hook_id = ANY($1)`, [removed]);
    });

  parts.onHooks(hooks);
  await write(position, [], { restarted: [], removed: [] });
  while (!signal.aborted) {
    const wanted = [...hooks.values()].flatMap(({ isActive, types }) => (isActive ? types : []));
    const types = [...OWN, ...new Set(logTypesOf(wanted))];
    for await (const batch of log.subscribe(position, { filter: { types }, signal })) {
      // A change of the hooks changes what is read after it.
      const change = batch.events.findIndex(({ type }) => OWN.has(type));
      const events = change < 0 ? batch.events : batch.events.slice(0, change + 1);
      position = (change < 0 ? undefined : events.at(-1)?.position) ?? batch.position;
      const recorded = await read(events);
      const messages = recorded.flatMap(messagesOf);
      const restarted = recorded.flatMap(({ event }) =>
        event.type === 'HookEdited' && event.data.isActive && !hooks.get(event.data.hookId)?.isActive
          ? [event.data.hookId]
          : [],
      );
      const removed = recorded.flatMap(({ event }) =>
        event.type === 'HookRemoved' ? [event.data.hookId] : [],
      );
      if (events.length > 0 || performance.now() - written > LONGEST_UNWRITTEN) {
        await write(position, messages, { restarted, removed });
        written = performance.now();
      }
      parts.onWell();
      if (messages.length > 0) parts.onMessages();
      if (change < 0) continue;
      for (const { event, meta } of recorded)
        if (OWN.has(event.type)) hooks = hook.evolve(hooks, event as HookEvent, meta.at);
      parts.onHooks(hooks);
      break;
    }
  }
};
