import { layFoundation } from '#infra/foundation/foundation.ts';
import { configOrExit, type Life, runTool, unlessAborted } from '#infra/foundation/process.ts';
import { siteDatabase } from '#infra/foundation/site-database.ts';
import { argumentsOrExit } from '#infra/lib/arguments.ts';
import { openProjectorPool } from '#projector/engine/schema.ts';
import { projections } from '#projector/projections/all.ts';
import { describeComparison } from './compare.ts';
import { listParked, retryParked } from './parked.ts';
import { compareWithRebuild, type Progress, RebuildDiffers, rebuild } from './rebuild.ts';
import { switchBack } from './switch.ts';

const HELP = `Rebuilds all read models from the log, beside the live ones, and switches to them in one step.
The site goes on serving meanwhile. Where the folds are unchanged, a single row that differs stops the switch.

  npm run rebuild                    rebuild, compare, switch
  npm run rebuild -- --replace       switch though rows differ: for live read models that are known to be damaged
  npm run rebuild -- --check         rebuild and compare only; exit code 1 if a row differs
  npm run rebuild -- --switch-back   take the read models back that the last switch replaced
  npm run rebuild -- --parked        list the events that no fold could take
  npm run rebuild -- --retry-parked  try those again, in order

Variables: DATABASE_URL, EVENT_STORE_URL, DATA_DIR and the keys; docs/operations/variables.md lists all.`;

const asked = argumentsOrExit(HELP, {
  replace: { type: 'boolean' },
  check: { type: 'boolean' },
  'switch-back': { type: 'boolean' },
  parked: { type: 'boolean' },
  'retry-parked': { type: 'boolean' },
});

const DOING: Readonly<Record<Progress['phase'], string>> = {
  load: 'reading the log',
  index: 'making indexes',
  'catch-up': 'catching up',
  compare: 'comparing with the live read models',
  switch: 'switching',
};

const whole = (value: number): string => Math.round(value).toLocaleString('en-GB');

const progressLine = ({ phase, events, seconds, fraction }: Progress): string => {
  if (phase !== 'load' && phase !== 'catch-up') return `${DOING[phase]} (${seconds.toFixed(1)} s so far)`;
  const parts = [`${whole(events)} events`, `${whole(events / Math.max(seconds, 0.001))} a second`];
  if (fraction !== undefined && fraction > 0) {
    parts.push(
      `${Math.floor(fraction * 100)} %`,
      `${Math.ceil((seconds / fraction) * (1 - fraction))} s to go`,
    );
  }
  return `${DOING[phase]}: ${parts.join(', ')}`;
};

const TELL_EVERY = 1_000;

const tell = (): ((progress: Progress) => void) => {
  let told = Number.NEGATIVE_INFINITY;
  let phase = '';
  return (progress) => {
    if (progress.phase === phase && performance.now() - told < TELL_EVERY) return;
    told = performance.now();
    phase = progress.phase;
    console.log(progressLine(progress));
  };
};

const main = async (life: Life): Promise<void> => {
  const config = configOrExit();
  const urls = await siteDatabase(config, life);
  const foundation = await layFoundation({ name: 'rebuild', config, ...urls });
  life.onEnd(() => foundation.close());
  const pool = openProjectorPool(urls.databaseUrl, (error) => console.error(error.message));
  life.onEnd(() => pool.end());
  const { log, codec } = foundation;
  const options = { pool, log, codec, projections, onProgress: tell() };
  try {
    if (asked['switch-back']) {
      await switchBack(pool, log);
      console.log('The earlier read models are live again.');
    } else if (asked.parked) {
      const parked = await listParked(pool);
      for (const { position, type, stream, error } of parked)
        console.log(`${position}  ${type} in ${stream}: ${error ?? 'waits behind another'}`);
      console.log(`${parked.length} events are parked.`);
    } else if (asked['retry-parked']) {
      const { taken, left } = await retryParked(options);
      for (const { position, type, error } of left) console.log(`${position}  ${type}: ${error ?? 'waits'}`);
      console.log(`${taken} events were taken, ${left.length} stay parked.`);
    } else if (asked.check) {
      const comparison = await unlessAborted(life.signal, compareWithRebuild(options));
      console.log(describeComparison(comparison));
      if (!comparison.equal) process.exitCode = 1;
    } else {
      const { events, seconds, parked, comparison } = await unlessAborted(
        life.signal,
        rebuild({ ...options, despiteDifferences: asked.replace ?? false }),
      );
      console.log(`${events.toLocaleString('en-GB')} events in ${seconds.toFixed(1)} s; ${parked} parked.`);
      if (!comparison)
        console.log('Nothing live was made by the same folds, so there was nothing to compare with.');
      else if (comparison.equal)
        console.log('Compared with the live read models row by row: no row differs.');
      else
        console.log(`What differed from the read models that were live:\n${describeComparison(comparison)}`);
      console.log('The new read models are live. "--switch-back" takes the earlier ones back.');
    }
  } catch (error) {
    if (!(error instanceof RebuildDiffers)) throw error;
    console.error(`${error.message}\n${describeComparison(error.comparison)}`);
    process.exitCode = 1;
  }
};

await runTool(main);
