/** `npm run bench`: every benchmark, each against its baseline in the same run and on the same PostgreSQL, in one table. */
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { run as append } from './append.ts';
import { run as door } from './door.ts';
import { run as evening } from './evening.ts';
import { run as growth } from './growth.ts';
import { run as hotSale } from './hot-sale.ts';
import { run as proof } from './proof.ts';
import { run as queries } from './queries.ts';
import { run as rebuild } from './rebuild.ts';
import { print, type Row, written } from './row.ts';
import { openStage, type Stage } from './stage.ts';
import { run as visibility } from './visibility.ts';

const HELP = `Measures Reprise against bare baselines, each pair in the same run.

  npm run bench [-- NAME …] [--store esdb://…] [--write]

Names: hot-sale, append, rebuild, queries, door, evening, visibility, growth, proof; all without any.
--store measures with the log in an EventStoreDB, which should be empty: hot-sale and visibility.
--write keeps the table in docs/benchmarks.md.`;

const { values: asked, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    store: { type: 'string' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
/** The benchmarks that can have their log elsewhere than in PostgreSQL. */
const ANYWHERE: readonly string[] = ['hot-sale', 'visibility'];

const benches: Readonly<Record<string, (stage: Stage) => Promise<readonly Row[]>>> = {
  'hot-sale': hotSale,
  ...{ append, rebuild, queries, door, evening, visibility, growth, proof },
};

const page = (rows: readonly Row[]): string => `# Benchmarks

\`npm run bench\` makes this table: each figure beside its baseline, in the same run, on the same PostgreSQL with fsync on.
The load generator, the product's processes, the baseline and PostgreSQL share the machine's cores, so that the
ratios mean more than the figures.

Measured ${new Date().toISOString().slice(0, 10)} on ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}.

| What | Figure | |
|---|---:|---|
${rows.map(({ what, figure, unit }) => `| ${what} | ${written(figure)} | ${unit} |`).join('\n')}

- **Hot sale:** two HTTP calls a purchase (hold, booking) on 64 connections by signed-in buyers, one listing, an in-memory gateway.
  The baseline is Fastify with the same session and CSRF checks and \`SELECT … FOR UPDATE\`, update, insert, commit in each call.
- **Append:** single events from 64 callers through the group commit; a plain \`INSERT\` of the same bytes from 16 connections.
- **Rebuild:** the mix that sales leave (\`tests/bench/sales-mix.ts\`), sealed fields included, indexes counted.
- **Queries:** five filters in turn on 32 connections; the baseline answers as many bytes from memory.
- **Door:** each scan of a ticket of its own, 16 gates; the baseline locks and marks the ticket's row.
- **Evening:** 3,000 tickets and 40 copies at 12 gates in 20 minutes, two gates without a network for ten of these, at ten times real pace; it fails where a ticket is let in twice.
- **Visible:** from the booking's answer to the same person's \`GET /api/bookings\` that shows it, on a second process.
- **Growth:** the same measurement with a log of each size; the aim is at most 1.25.
- **Proof:** a million small events: the sequencer's first catching up, a proof's hashes from the store, the nightly comparison in one thread, and \`verify-log\` on the
  exported file in as many threads as there are cores.
`;

if (asked.help) {
  console.log(HELP);
} else {
  const unknown = names.find((name) => !benches[name]);
  if (unknown) throw new Error(`no benchmark ${unknown}`);
  const elsewhere = asked.store && names.find((name) => !ANYWHERE.includes(name));
  if (elsewhere) throw new Error(`${elsewhere} measures PostgreSQL alone: leave --store out`);
  const stage = await openStage(asked.store);
  const rows: Row[] = [];
  try {
    for (const [name, bench] of Object.entries(benches)) {
      if (names.length > 0 ? !names.includes(name) : asked.store && !ANYWHERE.includes(name)) continue;
      console.log(`${name} …`);
      const found = await bench(stage);
      await stage.clear();
      rows.push(...found);
      print(found);
    }
  } finally {
    await stage.close();
  }
  if (names.length !== 1) {
    console.log('\nAll together:\n');
    print(rows);
  }
  if (asked.write) {
    await writeFile(join(import.meta.dirname, '../../docs/benchmarks.md'), page(rows));
  }
}
