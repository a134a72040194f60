/** Operations on the read models, run by a projector in a child process. */
import type pg from 'pg';
import type { Codec } from '#infra/event-log/codec.ts';
import type { EventLog } from '#infra/event-log/event-log.ts';
import { runOperation } from '#infra/queue/operations.ts';
import type { Projection } from '#projector/engine/projection.ts';
import { describeComparison } from './compare.ts';
import { retryParked } from './parked.ts';
import { buildBeside, compareWithRebuild, type Progress, RebuildDiffers, switchToBuilt } from './rebuild.ts';
import { switchBack } from './switch.ts';

export interface WorkOptions {
  readonly pool: pg.Pool;
  readonly log: EventLog;
  readonly codec: Codec;
  readonly projections: readonly Projection[];
}

const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en-GB')} ${noun}${number === 1 ? '' : 's'}`;

const perform = async (
  kind: string,
  options: WorkOptions,
  onProgress: (told: Progress) => void,
): Promise<string> => {
  const rebuilding = { ...options, onProgress };
  switch (kind) {
    case 'check':
      return describeComparison(await compareWithRebuild(rebuilding));
    case 'build': {
      const { events, seconds, parked, comparison } = await buildBeside(rebuilding);
      const built = `${count(events, 'event')} in ${seconds.toFixed(1)} s, ${parked} parked`;
      return `${built}: ${comparison ? describeComparison(comparison) : 'there is nothing to compare it with'}`;
    }
    case 'switch':
    case 'replace': {
      const comparison = await switchToBuilt({ ...rebuilding, despiteDifferences: kind === 'replace' });
      return `The new read models are live: ${comparison ? describeComparison(comparison) : 'there was nothing to compare with'}`;
    }
    case 'switch-back':
      await switchBack(options.pool, options.log);
      return 'The earlier read models are live again';
    case 'retry-parked': {
      const { taken, left } = await retryParked(options);
      return `${count(taken, 'event')} taken, ${left.length} stay parked`;
    }
    default:
      throw new Error(`nobody knows how to do "${kind}"`);
  }
};

export const doWork = async (
  { id, kind }: { readonly id: number; readonly kind: string },
  options: WorkOptions,
): Promise<void> => {
  await runOperation(options.pool, id, async (tell) => {
    try {
      return { outcome: await perform(kind, options, tell) };
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      const more = error instanceof RebuildDiffers ? `\n${describeComparison(error.comparison)}` : '';
      return { outcome: `${words}${more}`, failed: true };
    }
  });
};
