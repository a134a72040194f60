/** One round: a sale under fire, and the judgement on what is left. */
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type EventLog, LogUnavailable } from '#infra/event-log/event-log.ts';
import { sandboxAccount } from '#infra/payments/sandbox/account.ts';
import { chanceOf } from '#tests/kit/chance.ts';
import { prepareSale, type Sale } from '#tests/kit/prepared-sale.ts';
import { type Crowd, sendOut } from './crowd.ts';
import { unsettled } from './evidence.ts';
import { type KillableStore, wreak } from './havoc.ts';
import { openSite, type Shape, type Site } from './site.ts';
import { verify } from './verify.ts';

export interface RoundOptions {
  readonly seed: string;
  readonly shape: Shape;
  readonly buyers: number;
  readonly tickets: number;
  readonly clients: number;
  /** How many are killed, at least; after the most, nothing more. */
  readonly kills: { readonly least: number; readonly most: number };
  /** Milliseconds from one kill to the next, the least and the most. */
  readonly between: readonly [number, number];
  /** How long tickets are held, and how long buyers wait at least after "sold out"; milliseconds. */
  readonly holdFor: number;
  readonly patience: number;
  /** The control: appends check no revision. It is judged by its tickets only. */
  readonly unchecked: boolean;
  /** The log is in this EventStoreDB, whose nodes may be killed too. */
  readonly store?: KillableStore;
  /**
   * A steady sale instead of a rush: buyers come during so many milliseconds, there are tickets for all, and it ends when
   * everybody has gone home.
   */
  readonly steady?: number;
  /** Called once the round has settled, before it is judged: more work for it. What it returns is wrong. */
  afterwards?(site: Site, sale: Sale): Promise<readonly string[]>;
}

/** What is not as it must be is `wrong`, empty if all is well; the folder is kept if it is not. Times are in milliseconds. */
export type Round = Awaited<ReturnType<typeof runRound>>;

/** How long money and read models may take after the last restart. */
const LONGEST_SETTLING = 60_000;
/** Far more than a sale takes on a crowded machine: it ends what hangs, and proves nothing. */
const LONGEST_SALE = 1_200_000;
/** The control ends once it has oversold, or after this long. */
const LONGEST_CONTROL = 120_000;

/** Tickets that are sold by the log; undefined while its store is away. */
const soldNow = async (log: EventLog, listingId: number): Promise<number | undefined> => {
  try {
    let sold = 0;
    for await (const { type, data } of log.readStream(`inventory-${listingId}`))
      if (type === 'TicketsSold') sold += Number(JSON.parse(data).quantity);
    return sold;
  } catch {
    return undefined;
  }
};

/** Waits until so many tickets are sold. Resolves to whether they were, in time. */
const untilSold = async (log: EventLog, listingId: number, tickets: number, time: number) => {
  const deadline = Date.now() + time;
  while (Date.now() < deadline) {
    if (((await soldNow(log, listingId)) ?? 0) >= tickets) return true;
    await pause(250);
  }
  return false;
};

/** Asks until nothing is waited for any more, or the time is over; answers with what is left. */
export const within = async (
  milliseconds: number,
  waitingFor: () => Promise<readonly string[]>,
): Promise<readonly string[]> => {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    const waiting = await waitingFor();
    if (waiting.length === 0 || Date.now() > deadline) return waiting;
    await pause(300);
  }
};

const sell = async (site: Site, options: RoundOptions) => {
  const { seed, buyers, tickets, clients, kills, between, unchecked, steady } = options;
  const foundation = await site.foundation();
  let crowd: Crowd | undefined;
  try {
    const sale = await prepareSale(foundation, { capacity: tickets, buyers });
    const { publishableKey } = await sandboxAccount(foundation.database.pool);
    await site.start();
    const began = Date.now();
    const { commands, queries } = site;
    crowd = sendOut(clients, {
      ...{ seed, buyers: sale.buyers, commands, queries, listingId: sale.listingId, publishableKey },
      ...{ patience: options.patience, arriveWithin: steady ?? 3_000 },
    });
    const { store } = options;
    const havoc = wreak(site, chanceOf(`${seed}/havoc`), { between, most: kills.most, store });
    store?.unrest?.begin();
    const all = unchecked ? tickets + 1 : tickets;
    const time = unchecked ? LONGEST_CONTROL : LONGEST_SALE;
    if (steady !== undefined) await crowd.done;
    else if (!(await untilSold(foundation.log, sale.listingId, all, time)) && !unchecked)
      throw new Error(`not all of ${tickets} tickets were sold within ${LONGEST_SALE / 1_000} s`);
    const saleTook = Date.now() - began;
    crowd.over();
    const killed = await havoc.finish(kills.least);
    const restarted = Date.now();
    const { acknowledged, odd, counts } = await crowd.done;
    await store?.unrest?.end();
    const left = LONGEST_SETTLING - (Date.now() - restarted);
    let waitedFor = 'the last buyer';
    const ask = async (): Promise<readonly string[]> => {
      const waiting = await unsettled(foundation, sale.listingId).catch((error: unknown) => {
        // A reader notices within some seconds that its node died.
        if (error instanceof LogUnavailable) return ['the log can not be read'];
        throw error;
      });
      waitedFor = waiting.at(-1) ?? waitedFor;
      return waiting;
    };
    const waiting = unchecked ? [] : await within(left, ask);
    const settledIn = Date.now() - restarted;
    const later = (await options.afterwards?.(site, sale)) ?? [];
    if (later.length === 0 && options.afterwards)
      await within(LONGEST_SETTLING, () => unsettled(foundation, sale.listingId));
    const { wrong, evidence } = await verify(foundation, sale, acknowledged, {
      onlyTickets: unchecked,
      soldOut: steady === undefined,
    });
    const surprises = site.processes.flatMap((process) => process.surprises);
    const failed = Object.entries(counts).filter(([status]) => Number(status) >= 500 && status !== '503');
    return {
      wrong: [
        ...waiting.map((what) => `after ${LONGEST_SETTLING / 1_000} s ${what}`),
        ...(unchecked ? [] : [...odd, ...failed.map(([status, count]) => `${count} answers with ${status}`)]),
        ...surprises,
        ...later,
        ...wrong,
      ],
      sold: evidence.inventory.sold,
      bookings: evidence.bookings.size,
      unfilled: evidence.unfilled.size,
      acknowledged: acknowledged.length,
      events: evidence.events.length,
      ...{ kills: killed, counts, saleTook, settledIn, waitedFor },
    };
  } finally {
    crowd?.kill();
    await foundation.close();
  }
};

let folders = 0;

/** Runs a round in a folder of its own, which is removed unless something is wrong. @throws if the round could not be run */
export const runRound = async (options: RoundOptions) => {
  const folder = join(tmpdir(), `reprise-chaos-${process.pid}-${++folders}`);
  await mkdir(folder, { mode: 0o711 });
  const { shape, holdFor, unchecked, store } = options;
  const site = await openSite({ folder, shape, holdFor, unchecked, store: store?.url });
  let round: Awaited<ReturnType<typeof sell>>;
  try {
    round = await sell(site, options);
  } catch (error) {
    throw new Error(`the round broke off; its data is in ${folder}`, { cause: error });
  } finally {
    await site.stop();
  }
  if (round.wrong.length === 0 || unchecked) await rm(folder, { recursive: true, force: true });
  return { ...round, folder };
};

/** The control: the same sale without the revision check, which must oversell. Nobody is killed, since a process that starts reads the truth. */
export const runControl = (options: RoundOptions): Promise<Round> =>
  runRound({
    ...options,
    unchecked: true,
    kills: { least: 0, most: 0 },
    afterwards: undefined,
    seed: `${options.seed}/control`,
  });
