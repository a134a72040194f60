import { resolve } from 'node:path';
import { layFoundation } from '#infra/foundation/foundation.ts';
import { configOrExit, runTool, unlessAborted } from '#infra/foundation/process.ts';
import { siteDatabase } from '#infra/foundation/site-database.ts';
import { readErasureRegister, registerOf } from '#infra/keys/erasure-register.ts';
import { argumentsOrExit } from '#infra/lib/arguments.ts';
import { createLogger } from '#infra/lib/logger.ts';
import { endSignIns, eraseAgain } from './restore.ts';

const HELP = `Erases again who was erased since a backup, after a restore that was not npm run restore: by pg_dump, or of an EventStoreDB.

  npm run erase-again [-- --erasures FILE]

  --erasures FILE   the register of erasures. Unset: ERASURE_REGISTER, or "erasures" in DATA_DIR.

Run it before the site is started, with the same variables. It also ends all sessions: those that were ended since would be good
again. It can be repeated.`;

const { erasures } = argumentsOrExit(HELP, { erasures: { type: 'string' } });
const config = configOrExit();
await runTool(async (life) => {
  const erased = await readErasureRegister(erasures ? resolve(erasures) : registerOf(config));
  const foundation = await layFoundation({
    name: 'erase-again',
    config,
    ...(await siteDatabase(config, life)),
    logger: createLogger({ name: 'erase-again', level: 'warn' }),
  });
  life.onEnd(() => foundation.close());
  const accounts = await unlessAborted(life.signal, eraseAgain(foundation, erased));
  await endSignIns(foundation);
  console.log(`${erased.length} erased keys are destroyed, ${accounts} of accounts that stood here.`);
  console.log('All sessions are ended. Start the site: it finishes those erasures.');
});
