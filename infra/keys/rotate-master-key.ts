/** `npm run rotate-master-key`: changes the master key while the site runs. */
import { argumentsOrExit } from '#infra/arguments.ts';
import { CannotStart } from '#infra/cannot-start.ts';
import { layFoundation } from '#infra/foundation.ts';
import { createLogger } from '#infra/observability/logger.ts';
import { siteDatabase } from '#infra/postgres/site-database.ts';
import { configOrExit, runTool } from '#infra/process.ts';
import { parseSecret } from './files.ts';
import { finishRotation, rotateMasterKey } from './rotation.ts';

const HELP = `Changes the master key while the site runs.

  npm run rotate-master-key               wraps all keys under NEW_MASTER_KEY; MASTER_KEY is still the present one
  npm run rotate-master-key -- --finish   forgets the former one; MASTER_KEY is the new one

In between, start every process anew with MASTER_KEY set to the new one (or put it into DATA_DIR/keys/MASTER_KEY); until then
both open everything. Make it with: openssl rand -base64 32
Other variables as the site has them; docs/operations.md has all.`;

const TELL_EVERY = 1_000;

const { finish } = argumentsOrExit(HELP, { finish: { type: 'boolean' } });
const config = configOrExit();

await runTool(async (life) => {
  const { newMasterKey } = config;
  if (!finish && !newMasterKey) throw new CannotStart(`NEW_MASTER_KEY is missing.\n\n${HELP}`);
  const foundation = await layFoundation({
    name: 'rotate-master-key',
    config,
    ...(await siteDatabase(config, life)),
    connections: 2,
    logger: createLogger({ name: 'rotate-master-key', level: 'warn' }),
  });
  life.onEnd(() => foundation.close());
  const { pool } = foundation.database;
  const { masterKey } = foundation.secrets;
  let told = performance.now();
  const tell = (done: number, of: number): void => {
    life.signal.throwIfAborted();
    if (done < of && performance.now() - told < TELL_EVERY) return;
    told = performance.now();
    console.log(`${done.toLocaleString('en-GB')} of ${of.toLocaleString('en-GB')} keys are wrapped anew`);
  };
  if (finish) {
    await finishRotation(pool, masterKey, tell);
    console.log('The former master key opens nothing any more.');
    return;
  }
  await rotateMasterKey(pool, masterKey, parseSecret('NEW_MASTER_KEY', newMasterKey ?? ''), tell);
  console.log('Start every process with the new MASTER_KEY, and then: npm run rotate-master-key -- --finish');
});
