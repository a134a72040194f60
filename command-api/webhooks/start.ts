import type { CommandDeps } from '#command-api/deps/deps.ts';
import { type Hooks, hook } from '#domain/hook/hook.ts';
import { troubleWith } from '#infra/lib/outage.ts';
import { complaints } from '#infra/observability/complaints.ts';
import { lead, leaseOn } from '#infra/subscriptions/leader.ts';
import versions from '#versions.json' with { type: 'json' };
import { followLog } from './follow.ts';
import { createSender } from './send.ts';

const LEASE = 5_000;

/** Starts telling hooks what happens. One process at a time does it, by a lease. */
export const startHooks = ({
  log,
  codec,
  database: { pool },
  lane,
  clock,
  logger,
  config,
  hookSecrets,
}: CommandDeps): { stop(): Promise<void> } => {
  const lease = leaseOn({ pool, table: 'app.hook_follower', ms: LEASE, program: versions.webhooks.version });
  let hooks: Hooks = hook.initial;
  const sender = createSender({
    ...{ pool, lane, clock, secrets: hookSecrets, locked: config.production },
    hooks: () => hooks,
    onError: complaints(logger, 'a message to a hook could not be sent, and is tried again'),
  });

  const work = async (held: AbortSignal, well: () => void): Promise<void> => {
    const end = new AbortController();
    const signal = AbortSignal.any([held, end.signal]);
    const following = followLog({
      ...{ log, codec, pool, logger, signal, holder: lease.holder },
      onHooks(now) {
        hooks = now;
        sender.wake();
      },
      onMessages: sender.wake,
      onWell: well,
    });
    try {
      await Promise.all([following, sender.send(signal)].map((one) => one.finally(() => end.abort())));
    } catch (error) {
      if (!held.aborted) throw error;
    }
  };

  return lead(lease, work, {
    trouble: troubleWith(logger, 'hooks are not told, and it is tried again'),
  });
};
