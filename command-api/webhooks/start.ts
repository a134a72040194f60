import { once } from 'node:events';
import type { PoolClient } from 'pg';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import type { AnyEvent } from '#domain/all-events.ts';
import { logTypesOf, messageOf, webhookTypeOf } from '#domain/answers/webhook-message.ts';
import { streamOf } from '#domain/kernel/decider.ts';
import { typesOf } from '#domain/kernel/event.ts';
import { type WebhookEvent, webhookEvents } from '#domain/webhook/events.ts';
import { HOOKS, type Hooks, hook } from '#domain/webhook/webhook.ts';
import { isOfLog } from '#infra/event-log/checkpoint.ts';
import type { Recorded } from '#infra/event-log/recorded.ts';
import { troubleWith } from '#infra/lib/outage.ts';
import { complaints } from '#infra/observability/complaints.ts';
import type { Queue } from '#infra/queue/queue.ts';
import type { Leading } from '#infra/subscriptions/leader.ts';
import { checkpointOf, type Kept, subscribe } from '#infra/subscriptions/subscription.ts';
import versions from '#versions.json' with { type: 'json' };
import { sendMessages } from './send.ts';

const OWN: ReadonlySet<string> = new Set<string>(typesOf(webhookEvents));
/** Milliseconds. */
const EMPTY_EVERY = 5_000;

const isOwn = (recorded: Recorded<AnyEvent>): recorded is Recorded<WebhookEvent> =>
  OWN.has(recorded.event.type);

const evolve = (hooks: Hooks, events: readonly Recorded<WebhookEvent>[]): Hooks =>
  events.reduce((state, { event, meta }) => hook.evolve(state, event, meta.at), hooks);

const messagesOf = (hooks: Hooks, { event, id, recordedAt }: Recorded<AnyEvent>) => {
  const type = webhookTypeOf(event.type);
  if (!type) return [];
  return [...hooks.values()]
    .filter(({ isActive, types }) => isActive && types.includes(type))
    .map(({ hookId }) => ({ hookId, id, type, body: messageOf(type, event, recordedAt) }));
};

const write = async (
  transaction: PoolClient,
  hooks: Hooks,
  messages: ReturnType<typeof messagesOf>,
  changes: readonly Recorded<WebhookEvent>[],
): Promise<void> => {
  await transaction.query(
    `INSERT INTO app.hook_delivery (hook_id, message_id, type, body)
     SELECT * FROM unnest($1::integer[], $2::text[], $3::text[], $4::text[]) ON CONFLICT DO NOTHING`,
    [
      messages.map(({ hookId }) => hookId),
      messages.map(({ id }) => id),
      messages.map(({ type }) => type),
      messages.map(({ body }) => body),
    ],
  );
  for (const { event } of changes) {
    // Reset the retries of deliveries queued while the webhook was disabled.
    if (event.type === 'HookEdited' && event.data.isActive && !hooks.get(event.data.hookId)?.isActive)
      await transaction.query(
        `UPDATE app.hook_delivery SET tries = 0, asked_at = now(), due_at = now()
          WHERE hook_id = $1 AND status = 'waiting'`,
        [event.data.hookId],
      );
    if (event.type === 'HookRemoved')
      for (const table of ['delivery', 'secret'])
        await transaction.query(`DELETE FROM app.hook_${table} WHERE hook_id = $1`, [event.data.hookId]);
  }
};

export const startWebhooks = ({
  log,
  codec,
  database: { pool },
  handler,
  clock,
  logger,
  config,
  webhookSecrets,
}: CommandDeps): Leading => {
  let hooks: Hooks = hook.initial;
  let sending: Queue | undefined;

  /** A log never followed starts at the first webhook; a different or restored one continues at its end. */
  const begin = async ({ logId, position }: Kept) => {
    const own = await Array.fromAsync(log.readStream(streamOf(hook, HOOKS)));
    const known = (await isOfLog(log, logId, position)) ? position : undefined;
    const first = logId === '' ? own[0]?.position : undefined;
    const from = known ?? first ?? (await log.head());
    const before = await codec.decode<WebhookEvent>(own.filter((one) => one.position <= from));
    hooks = evolve(hook.initial, before);
    return from;
  };

  return subscribe<Recorded<AnyEvent>>({
    log,
    pool,
    checkpoint: checkpointOf('webhooks'),
    program: versions.webhooks.version,
    types() {
      const wanted = [...hooks.values()].flatMap(({ isActive, types }) => (isActive ? types : []));
      return [...OWN, ...new Set(logTypesOf(wanted))];
    },
    changesTypes: OWN,
    emptyEvery: EMPTY_EVERY,
    begin,
    decode: (events) => codec.decode<AnyEvent>(events),
    unreadable: {
      wait: 0,
      fallback({ event: { stream, revision }, error }) {
        logger.error({ err: error, stream, revision }, 'no webhook is told of it');
      },
    },
    async handle(events, transaction) {
      const messages = events.flatMap((event) => messagesOf(hooks, event));
      const changes = events.filter(isOwn);
      await write(transaction, hooks, messages, changes);
      return () => {
        hooks = evolve(hooks, changes);
        if (messages.length + changes.length > 0) sending?.wake();
      };
    },
    async beside(signal) {
      sending = sendMessages({
        ...{ pool, handler, clock, secrets: webhookSecrets, locked: config.production },
        hooks: () => hooks,
        onError: complaints(logger, 'a message to a webhook could not be sent, and is tried again'),
        trouble: troubleWith(logger, 'webhooks are not sent, and it is tried again'),
      });
      if (!signal.aborted) await once(signal, 'abort');
      await sending.stop();
    },
    trouble: troubleWith(logger, 'webhooks are not made, and it is tried again'),
  });
};
