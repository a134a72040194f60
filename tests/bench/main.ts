/** `npm run bench`: every benchmark, each against its baseline in the same run and on the same PostgreSQL, in one table. */
import { readFile, writeFile } from 'node:fs/promises';
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
--write replaces the table in docs/benchmarks.md.`;

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

const PAGE = join(import.meta.dirname, '../../docs/benchmarks.md');
const TABLE = /^Measured .*\n\n(\| What .*\n\|.*\n)(?:\|.*\n)*/m;

/** Replaces the date and the table; the rest of the page is written by hand. */
const withFigures = (page: string, rows: readonly Row[]): string => {
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`;
  const lines = rows.map(({ what, figure, unit }) => `| ${what} | ${written(figure)} | ${unit} |\n`).join('');
  return page.replace(
    TABLE,
    (_, head) => `Measured ${new Date().toISOString().slice(0, 10)} on ${machine}.\n\n${head}${lines}`,
  );
};

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
  if (asked.write) await writeFile(PAGE, withFigures(await readFile(PAGE, 'utf8'), rows));
}
