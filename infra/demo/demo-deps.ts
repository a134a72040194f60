import { randomUUID } from 'node:crypto';
import type { CommandDeps } from '#command-api/deps.ts';
import type { Context } from '#infra/event-log/recorded.ts';
import type { ImageStore } from '#infra/images/image-store.ts';

/** What the demo's commands run with. The actor is the system's `demo`, for whom reactors make no jobs. */
export interface DemoDeps extends CommandDeps {
  readonly images: ImageStore;
  /** Once aborted nothing further is begun. */
  readonly over: AbortSignal;
  /** As if some weeks ago: what is in the past was decided then. */
  readonly context: Context;
}

/** The context of one more of the demo's commands, at a time of its own where one is given. */
export const step = (context: Context, at: string = context.at): Context => ({
  ...context,
  commandId: randomUUID(),
  at,
});

/** How long before the first start the demo's story begins, in milliseconds. */
export const STORY = 45 * 86_400_000;
