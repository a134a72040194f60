/** `npm run bench`: every benchmark, each against its baseline in the same run and on the same PostgreSQL, in one table. */
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { run as append } from './append.ts';
import { run as door } from './door.ts';
import { run as evening } from './evening.ts';
import { run as growth } from './growth.ts';
import { run as hotSale } from './hot-sale.ts';
import { run as queries } from './queries.ts';
import { run as reading } from './reading.ts';
import { run as rebuild } from './rebuild.ts';
import { print, type Row } from './row.ts';
import { openStage, type Stage } from './stage.ts';
import { run as visibility } from './visibility.ts';

const HELP = `Measures Reprise against bare baselines, each pair in the same run.

  npm run bench [-- NAME …] [--write]

Names: hot-sale, append, rebuild, queries, door, evening, visibility, growth, reading; all without any.
--write keeps the table in docs/benchmarks.md.`;

const benches: Readonly<Record<string, (stage: Stage) => Promise<readonly Row[]>>> = {
  'hot-sale': hotSale,
  append: async (stage) => append({ url: await stage.freshDatabase() }),
  rebuild: async (stage) => rebuild({ url: await stage.freshDatabase() }),
  queries,
  door,
  evening,
  visibility,
  growth,
  reading: () => reading(),
};

const said = (figure: number): string =>
  figure.toLocaleString('en-GB', { maximumFractionDigits: figure < 100 ? 2 : 0 });

const page = (rows: readonly Row[]): string => `# Benchmarks

\`npm run bench\` makes this table: each figure beside its baseline, in the same run, on the same PostgreSQL with fsync on.
The load generator, the product's processes, the baseline and PostgreSQL share the machine's cores, so that the
ratios mean more than the figures.

Measured ${new Date().toISOString().slice(0, 10)} on ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}.

| What | Figure | |
|---|---:|---|
${rows.map(({ what, figure, unit }) => `| ${what} | ${said(figure)} | ${unit} |`).join('\n')}

- **Hot sale:** two HTTP calls a purchase (hold, booking) on 64 connections by signed-in buyers, one listing, an in-memory gateway.
  The baseline is Fastify with the same session and CSRF checks and \`SELECT … FOR UPDATE\`, update, insert, commit in each call.
- **Append:** single events from 64 callers through the group commit; a plain \`INSERT\` of the same bytes from 16 connections.
- **Rebuild:** the mix that sales leave (\`tests/bench/sales-mix.ts\`), sealed fields included, indexes counted.
- **Queries:** five filters in turn on 32 connections; the baseline answers as many bytes from memory.
- **Door:** each scan of a ticket of its own, 16 gates; the baseline locks and marks the ticket's row.
- **Evening:** 3,000 tickets and 40 copies at 12 gates in 20 minutes, two gates without a network for ten of these, at ten times real pace; it fails where a ticket is let in twice.
- **Visible:** from the booking's answer to the same person's \`GET /api/bookings\` that shows it, on a second process.
- **Growth:** the same measurement with a log of each size; the aim is at most 1.25.
- **Reading:** 200 random codes in each condition, filmed as a hand holds them, at 1280 x 720, read by the scanner's own module; the old reader gets 50 of each,
  with the codes, the frames and the canvas that it had.
`;

const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
if (process.argv.includes('--help')) {
  console.log(HELP);
} else {
  const unknown = names.find((name) => !benches[name]);
  if (unknown) throw new Error(`no benchmark ${unknown}`);
  const stage = await openStage();
  const rows: Row[] = [];
  try {
    for (const [name, bench] of Object.entries(benches)) {
      if (names.length > 0 && !names.includes(name)) continue;
      console.log(`${name} …`);
      const found = await bench(stage);
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
  if (process.argv.includes('--write')) {
    await writeFile(join(import.meta.dirname, '../../docs/benchmarks.md'), page(rows));
  }
}
