import { randomUUID } from 'node:crypto';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import type { ActingLane } from '#command-api/lane/lane.ts';
import type { Context } from '#infra/event-log/recorded.ts';

/** What the commands of the demo need. Their actor is the system's `demo`: reactors make no jobs and mails for its events. */
export interface DemoDeps extends CommandDeps {
  /** When it is aborted, no further command is begun. */
  readonly over: AbortSignal;
  /** The context of all commands. Its time is some weeks ago, so that past listings are accepted. */
  readonly context: Context;
}

/** The lane for what the demo does next, as if one request asked for it. All its commands are dated `at`, an ISO instant. */
export const actingAt = ({ lane, context }: DemoDeps, at: string = context.at): ActingLane =>
  lane.as({ ...context, commandId: randomUUID(), correlationId: randomUUID(), at }, () => new Date(at));

/** How long before the first start the events of the demo begin, in milliseconds. */
export const STORY = 45 * 86_400_000;
