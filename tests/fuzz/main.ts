/** `npm run fuzz`: malformed requests over every route of the one-process start, and then a look at what they left behind. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbedded } from '#infra/postgres/embedded.ts';
import { fuzz } from './fuzz.ts';

const HELP = `Sends malformed requests over every route, as visitor, customer, staff and superuser, and judges what is left.

  npm run fuzz -- [--requests 20000] [--seed N] [--together 8] [--only 17,4711] [--calls]

The same seed makes the same requests; ids and sessions in them are the run's own, and how those that are under way
together overtake each other is not repeated. Each failing request is printed with its number: --seed N --only NUMBER
sends that one alone. --calls tells how often each call succeeded. Ends with 1 if anything was not as it must be.`;

const { values: asked } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string' },
    together: { type: 'string', default: '8' },
    only: { type: 'string' },
    calls: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const told = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .sort(([left], [right]) => left.localeCompare(right))
    .map(([name, times]) => `${name}: ${times}`)
    .join(', ');

const main = async (): Promise<boolean> => {
  const seed = asked.seed ?? String(Date.now() % 1_000_000_000);
  console.log(`seed ${seed}`);
  const folder = await mkdtemp(join(tmpdir(), 'reprise-fuzz-'));
  const settings = { fsync: 'off', full_page_writes: 'off' };
  const postgres = await startEmbedded({ dataDir: join(folder, 'postgres'), settings });
  try {
    const { sent, byStatus, byCode, succeeded, failures, wrong } = await fuzz({
      ...{ databaseUrl: postgres.url, dataDir: join(folder, 'data'), seed },
      ...{ requests: Number(asked.requests), together: Number(asked.together) },
      ...(asked.only ? { only: new Set(asked.only.split(',').map(Number)) } : {}),
      tell: ({ nth, call, who, spoilt, wrong: what, request }) =>
        console.log(
          `#${nth} ${call} as ${who} (${spoilt.join('; ') || 'as it should be'}): ${what}\n  ${request}`,
        ),
    });
    console.log(`${sent} requests\n  by status: ${told(byStatus)}\n  by code: ${told(byCode)}`);
    if (asked.calls) console.log(`  succeeded: ${told(succeeded)}`);
    for (const what of wrong) console.log(`  ${what}`);
    console.log(`${failures.length} answers were not as they must be, ${wrong.length} things at the end`);
    return failures.length === 0 && wrong.length === 0;
  } finally {
    await postgres.stop('immediate');
    await rm(folder, { recursive: true, force: true });
  }
};

if (asked.help) console.log(HELP);
else process.exit((await main()) ? 0 : 1);
