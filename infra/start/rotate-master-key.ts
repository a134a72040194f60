import { layFoundation } from '#infra/foundation/foundation.ts';
import { configOrExit, runTool } from '#infra/foundation/process.ts';
import { siteDatabase } from '#infra/foundation/site-database.ts';
import { parseSecret } from '#infra/keys/files.ts';
import { abandonRotation, finishRotation, rotateMasterKey } from '#infra/keys/rotation.ts';
import { argumentsOrExit } from '#infra/lib/arguments.ts';
import { CannotStart } from '#infra/lib/cannot-start.ts';
import { createLogger } from '#infra/lib/logger.ts';

const HELP = `Changes the master key while the site runs.

  npm run rotate-master-key               wraps all keys under NEW_MASTER_KEY; MASTER_KEY is still the present one
  npm run rotate-master-key -- --finish   forgets the former one; MASTER_KEY is the new one
  npm run rotate-master-key -- --abandon  takes it back before that; MASTER_KEY is the former one again

In between, start every process anew with MASTER_KEY set to the new one (or put it into DATA_DIR/keys/MASTER_KEY); until then
both open everything. Make it with: openssl rand -base64 32, and note it down: it is shown nowhere.
Other variables as the site has them; docs/operations/variables.md lists all.`;

const TELL_EVERY = 1_000;

const { finish, abandon } = argumentsOrExit(HELP, {
  finish: { type: 'boolean' },
  abandon: { type: 'boolean' },
});
const config = configOrExit();

await runTool(async (life) => {
  const { newMasterKey } = config;
  if (finish && abandon) throw new CannotStart(`It either ends or is taken back.\n\n${HELP}`);
  if (!finish && !abandon && !newMasterKey) throw new CannotStart(`NEW_MASTER_KEY is missing.\n\n${HELP}`);
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
  if (abandon) {
    await abandonRotation(pool, masterKey);
    console.log('The change is taken back: MASTER_KEY opens everything, and the other key nothing.');
    return;
  }
  await rotateMasterKey(pool, masterKey, parseSecret('NEW_MASTER_KEY', newMasterKey ?? ''), tell);
  console.log('Start every process with the new MASTER_KEY, and then: npm run rotate-master-key -- --finish');
});
