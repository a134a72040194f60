import { randomUUID } from 'node:crypto';
import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import type { Context } from '#infra/event-log/recorded.ts';

export interface DemoDeps extends CommandDeps {
  readonly over: AbortSignal;
  /** Some weeks ago, so that past listings are accepted. */
  readonly context: Context;
}

export const actingAt = ({ handler, context }: DemoDeps, at: string = context.at): ActingHandler =>
  handler.as({ ...context, commandId: randomUUID(), correlationId: randomUUID(), at }, () => new Date(at));

/** Milliseconds. */
export const STORY = 45 * 86_400_000;
