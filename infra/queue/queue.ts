/** The loop that works off a table of the database: jobs, mails and webhook deliveries. */
import { backOff, isPassing, type Trouble } from '#infra/lib/outage.ts';

/** `listed`: people find it in a list, so it is not reported as well. */
export interface Failed {
  readonly failed: unknown;
  readonly listed?: true;
}
export type Outcome = 'done' | { readonly again: Date } | Failed | { readonly givenUp: string };

export interface QueueOptions<Row, Result extends Outcome> {
  /**
   * Some due rows that nobody works on, at most `room`; no other process takes them until they are settled.
   * `running` are those of this process.
   */
  claim(room: number, running: readonly Row[]): Promise<readonly Row[]>;
  /** Repeatable: a row is handled again if the process dies. A throw is a failure. On abort of `ending`, end early. */
  handle(row: Row, ending: AbortSignal): Promise<Result>;
  settle(row: Row, outcome: Result | Failed): Promise<unknown>;
  /** Keeps claims that would run out. Called every four seconds. */
  renew?(rows: readonly Row[]): Promise<unknown>;
  /** Leaves claimed rows to other processes, because the queue was stopped. */
  giveBack?(rows: readonly Row[]): Promise<unknown>;
  readonly concurrency: number;
  /** Polling interval in milliseconds. */
  readonly every: number;
  /** Awaited before rows are claimed, so that more urgent work goes first. */
  turn?(): Promise<void>;
  /** Begin with a single row after each idle time: what all rows need may be away. */
  readonly cautious?: boolean;
  /** Outages go to `trouble` instead. */
  onFailure?(row: Row, error: unknown): void;
  /** Reports an outage of what all rows need (database, log, payment provider, mail server). */
  readonly trouble?: Trouble;
}

export interface Queue {
  /** Looks for due rows now, unless the queue rests in an outage. */
  wake(): void;
  /** Claims no more rows, aborts running ones, and resolves when they have ended. */
  stop(): Promise<void>;
}

const RENEW_EVERY = 4_000;
/** First and longest rest in an outage, in milliseconds. */
const FIRST_REST = 250;
const LONGEST_REST = 10_000;

/** In an outage, the queue rests for growing times and probes with one row at a time. */
export const runQueue = <Row, Result extends Outcome>(options: QueueOptions<Row, Result>): Queue => {
  const { concurrency, cautious = false, trouble } = options;
  const running = new Map<Row, Promise<void>>();
  const ending = new AbortController();
  let looking: Promise<void> | undefined;
  let again = false;
  let isProbing = cautious;
  let isUnreadable = false;
  let outages = 0;
  let restsUntil = 0;

  const rest = (error: unknown): void => {
    isProbing = true;
    restsUntil = performance.now() + backOff(outages++, FIRST_REST, LONGEST_REST);
    trouble?.met(error);
  };
  const well = (): void => {
    isProbing = false;
    outages = 0;
    restsUntil = 0;
    trouble?.over();
  };
  const mustWait = (): boolean => ending.signal.aborted || performance.now() < restsUntil;
  const roomNow = (): number => (mustWait() ? 0 : (isProbing ? 1 : concurrency) - running.size);

  const learnFrom = (row: Row, outcome: Outcome): void => {
    if (outcome === 'done' || 'again' in outcome) well();
    else if ('failed' in outcome) {
      if (isPassing(outcome.failed)) rest(outcome.failed);
      else if (!outcome.listed) options.onFailure?.(row, outcome.failed);
    }
  };

  const work = async (row: Row): Promise<void> => {
    const outcome: Result | Failed = await options
      .handle(row, ending.signal)
      .catch((failed: unknown) => ({ failed }));
    learnFrom(row, outcome);
    // A row that can't be settled is claimed again, once its claim has run out.
    await options.settle(row, outcome).catch(rest);
  };

  const look = async (): Promise<void> => {
    again = false;
    if (roomNow() <= 0) return;
    await options.turn?.();
    for (let room = roomNow(); room > 0; room = roomNow()) {
      const rows = await options.claim(room, [...running.keys()]);
      if (ending.signal.aborted) return void (await options.giveBack?.(rows));
      if (isUnreadable) well();
      isUnreadable = false;
      for (const row of rows)
        running.set(
          row,
          work(row).finally(() => {
            running.delete(row);
            wake();
          }),
        );
      if (running.size === 0) isProbing ||= cautious;
      if (rows.length === 0) return;
    }
  };

  const wake = (): void => {
    if (mustWait()) return;
    again = true;
    looking ??= look()
      .catch((error: unknown) => {
        isUnreadable = true;
        rest(error);
      })
      .finally(() => {
        looking = undefined;
        if (again) wake();
      });
  };

  const renew = (): void => {
    if (running.size > 0) options.renew?.([...running.keys()]).catch(rest);
  };
  const polling = setInterval(wake, options.every);
  const renewing = setInterval(renew, RENEW_EVERY);
  wake();

  return {
    wake,
    async stop() {
      ending.abort();
      clearInterval(polling);
      await looking;
      await Promise.all(running.values());
      clearInterval(renewing);
    },
  };
};
