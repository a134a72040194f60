import { layFoundation } from '#infra/foundation/foundation.ts';
import { configOrExit, type Life, runTool } from '#infra/foundation/process.ts';
import { siteDatabase } from '#infra/foundation/site-database.ts';
import { argumentsOrExit } from '#infra/lib/arguments.ts';
import { openProjectorPool } from '#projector/engine/schema.ts';
import { projections } from '#projector/projections/all.ts';
import { doWork } from './work.ts';

const HELP = `Performs an operation of the table app.operation that its projector has taken. It is started by the projector itself.

  node projector/rebuild/work-main.ts --id ID --kind KIND`;

const { id, kind } = argumentsOrExit(HELP, { id: { type: 'string' }, kind: { type: 'string' } });

const main = async (life: Life): Promise<void> => {
  const config = configOrExit();
  const urls = await siteDatabase(config, life);
  const foundation = await layFoundation({ name: 'projector work', config, ...urls });
  life.onEnd(() => foundation.close());
  const pool = openProjectorPool(urls.databaseUrl, (error) => console.error(error.message));
  life.onEnd(() => pool.end());
  const { log, codec } = foundation;
  await doWork({ id: Number(id), kind: kind ?? '' }, { pool, log, codec, projections });
};

await runTool(main);
