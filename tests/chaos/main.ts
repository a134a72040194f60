/** `npm run chaos`: sells a listing out while everything is killed with -9, and judges what is left. */
import { exec } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import { scanInCrowds } from './door.ts';
import type { KillableStore } from './havoc.ts';
import { type Round, type RoundOptions, runControl, runRound } from './round.ts';
import { shakenCluster } from './shaken.ts';
import type { Shape } from './site.ts';

const run = promisify(exec);

const HELP = `Sells a listing out to a crowd while every process and PostgreSQL are killed with -9, and judges what is left.

  npm run chaos -- [--rounds 25] [--seed N] [--buyers 2000] [--tickets 500] [--clients 3] [--kills 8] [--no-control]
                   [--store esdb://… [--nodes 3] [--kill 'command {node}' --start 'command {node}']]
  npm run chaos -- --shaken [--minutes 60] [--buyers 2000]

--store has the log in an EventStoreDB, which should be empty. --kill and --start are commands that end a node of it with -9 and
start it again; {node} is its number, from 1 to --nodes. There is no control then.
--shaken is one steady sale on a loopback EventStoreDB of three nodes that elects a leader every two minutes, loses its quorum every
ten, and shows what was written 1 to 20 ms later. Nothing of the site is killed, and nothing of it may end.

Rounds alternate between the several-process start and the one-process start. The first round of the several-process
start also scans 200 tickets at 50 gates each, and is followed by the control: the same sale with the revision check
switched off, which must oversell. Every further one is followed by its control, too.
Ends with 1 if anything was not as it must be; the data of that round is kept.`;

const { values: asked } = parseArgs({
  options: {
    rounds: { type: 'string', default: '25' },
    seed: { type: 'string' },
    buyers: { type: 'string', default: '2000' },
    tickets: { type: 'string', default: '500' },
    clients: { type: 'string', default: '3' },
    kills: { type: 'string', default: '8' },
    'no-control': { type: 'boolean', default: false },
    store: { type: 'string' },
    nodes: { type: 'string', default: '3' },
    kill: { type: 'string' },
    start: { type: 'string' },
    shaken: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '60' },
    help: { type: 'boolean', default: false },
  },
});

/**
 * The same sale without the check. Its holds last: what one process releases the other may believe to be held for ever, and
 * a sale that gets stuck for that would prove nothing.
 */
const CONTROL_HOLDS = 180_000;

const DOOR = { tickets: 200, gates: 50 };

const tell = (round: Round): string => {
  const { sold, bookings, unfilled, acknowledged, events, kills, counts, saleTook, settledIn, waitedFor } =
    round;
  const killed = Object.entries(kills).map(([name, times]) => `${name} ${times}`);
  const answers = Object.entries(counts).map(([status, times]) => `${status}: ${times}`);
  return [
    `sold ${sold} in ${(saleTook / 1_000).toFixed(1)} s`,
    `${bookings} bookings, ${unfilled} refunded for want of tickets`,
    `${acknowledged} acknowledgements kept`,
    `${events} events`,
    `killed ${killed.join(', ') || 'nothing'}`,
    `settled in ${(settledIn / 1_000).toFixed(1)} s (last: ${waitedFor})`,
    `answers ${answers.join(', ')}`,
  ].join('; ');
};

const common = {
  ...{ buyers: Number(asked.buyers), clients: Number(asked.clients), patience: 4_000, unchecked: false },
  between: [1_000, 4_000],
} as const;

/** The EventStoreDB that was asked for, and how its nodes are killed and started. */
const storeOf = ({ store, nodes, kill, start }: typeof asked): KillableStore | undefined => {
  if (!store) return undefined;
  if (!kill || !start) return { url: store };
  const tell = (command: string) => async (node: number) => {
    await run(command.replaceAll('{node}', String(node)));
  };
  return { url: store, nodes: Number(nodes), kill: tell(kill), start: tell(start) };
};

/** An hour of a steady sale, or as long as asked, on a store that is never left in peace. */
const shake = async (seed: string): Promise<Round> => {
  const store = await shakenCluster(seed, { electEvery: 120_000, loseQuorumEvery: 600_000 });
  try {
    const steady = Number(asked.minutes) * 60_000;
    const tickets = 3 * Number(asked.buyers);
    const kills = { least: 0, most: 0 };
    const round = await runRound({
      ...common,
      seed,
      shape: 'several',
      tickets,
      kills,
      holdFor: 60_000,
      store,
      steady,
    });
    console.log(`${store.shakes.elected} elections, ${store.shakes.leaderless} times without a quorum`);
    return round;
  } finally {
    await store.stop();
  }
};

const main = async (): Promise<number> => {
  const seed = asked.seed ?? String(Date.now() % 1_000_000_000);
  console.log(`seed ${seed}`);
  if (asked.shaken) {
    const round = await shake(seed);
    console.log(`${round.wrong.length === 0 ? 'ok' : 'WRONG'}; ${tell(round)}`);
    for (const what of round.wrong) console.log(`  ${what}`);
    return round.wrong.length;
  }
  const store = storeOf(asked);
  const rounds = Number(asked.rounds);
  let failed = 0;
  for (let nth = 1; nth <= rounds; nth++) {
    const shape: Shape = nth % 2 === 1 ? 'several' : 'one';
    const options: RoundOptions = {
      ...{ ...common, seed: `${seed}/${nth}`, shape, tickets: Number(asked.tickets), holdFor: 8_000 },
      kills: { least: Number(asked.kills), most: 2 * Number(asked.kills) },
      ...(store ? { store } : {}),
      ...(nth === 1 ? { afterwards: (site, sale) => scanInCrowds(site, sale, DOOR) } : {}),
    };
    const round = await runRound(options);
    const verdict = round.wrong.length === 0 ? 'ok' : 'WRONG';
    console.log(`round ${nth} (${shape} process${shape === 'one' ? '' : 'es'}): ${verdict}; ${tell(round)}`);
    for (const what of round.wrong.slice(0, 30)) console.log(`  ${what}`);
    if (round.wrong.length > 0) {
      failed++;
      console.log(`  ${round.wrong.length} in all; the data is in ${round.folder}`);
    }
    if (shape === 'several' && !asked['no-control'] && !store) {
      const control = await runControl({ ...options, holdFor: CONTROL_HOLDS });
      const over = control.sold - options.tickets;
      console.log(`  control oversold by ${over}${over > 0 ? '' : ': this round proves nothing'}`);
      if (over <= 0) failed++;
    }
  }
  console.log(
    failed === 0 ? `${rounds} rounds, all as they must be` : `${failed} failures in ${rounds} rounds`,
  );
  return failed;
};

if (asked.help) console.log(HELP);
else process.exit((await main()) === 0 ? 0 : 1);
