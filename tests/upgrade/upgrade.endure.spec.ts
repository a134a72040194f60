/**
 * An upgrade: the programs of today on the database of an earlier commit (`fixture.ts`), which has work of every kind under way. Whoever
 * changes how work is queued, how the log is followed, or what a table looks like, is held by it.
 */
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { freePort } from '#infra/lib/machine.ts';
import { findViolations } from '#infra/read-models/invariants.ts';
import { freshDatabase } from '#tests/kit/database.ts';
import { atTheEnd } from '#tests/kit/endings.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { Program } from '#tests/kit/program.ts';
import { ENVIRONMENT, putBack } from './fixture.ts';
import { startMailServer, startOrganiser } from './outside.ts';
import { untilNothingIsMissing, untilReady } from './until.ts';
import { judge, judgeOutside, lookAt } from './verdict.ts';

/** A site whose database and files are the fixture's. None of its programs runs yet. */
const openFixture = async () => {
  const [databaseUrl, folder] = [await freshDatabase('empty'), await freshFolder()];
  const dataDir = join(folder, 'data');
  await putBack(databaseUrl, dataDir);
  const mailServer = await startMailServer();
  atTheEnd(() => mailServer.close());
  const organiser = await startOrganiser();
  atTheEnd(() => organiser.close());
  const pool = new pg.Pool({ connectionString: databaseUrl });
  atTheEnd(() => pool.end());
  const env = { ...ENVIRONMENT, DATABASE_URL: databaseUrl, DATA_DIR: dataDir, SMTP_URL: mailServer.url };
  const before = await lookAt(pool);
  const { rows: parked } = await pool.query<{ position: string }>('select position from read.parked');

  /** Starts a program, and resolves when it can serve. */
  const start = async (file: string, more: Readonly<Record<string, string>> = {}) => {
    const port = await freePort();
    const program = new Program(file, { env: { ...env, ...more, PORT: String(port) } });
    atTheEnd(() => program.end('SIGKILL'));
    const origin = `http://127.0.0.1:${port}`;
    const early = program.ended.then((how) => {
      throw new Error(`${file} ended with ${how}:\n${program.output}`);
    });
    await Promise.race([untilReady(origin), early]);
    early.catch(() => undefined);
    return { origin, program };
  };

  /** Runs a tool to its end. Resolves to its exit code and what it said. */
  const run = async (file: string, ...args: readonly string[]) => {
    const program = new Program(file, { env, args });
    return { code: await program.ended, output: program.output };
  };

  /** Waits until all is done that the log asks for. */
  const settled = () => untilNothingIsMissing(async () => judge(await lookAt(pool), before).missing);

  /** What is wrong with the site, in words. Its programs have ended. */
  const wrongs = async (): Promise<readonly string[]> => {
    const now = await lookAt(pool);
    const { missing, wrong } = judge(now, before);
    const violations = await findViolations(pool, { settleAfter: 0, now: new Date() });
    const rebuild = await run('projector/rebuild/rebuild-main.ts', '--check');
    const doctor = await run('infra/start/doctor.ts');
    const complaints = doctor.output.split('\n').filter((line) => line.includes('WRONG'));
    // The event that no read model could take is still put aside.
    const left = complaints.filter(
      (line) => !parked.some(({ position }) => line.includes(`${position} is parked`)),
    );
    return [
      ...missing,
      ...wrong,
      ...judgeOutside(now, before, { mailServer, organiser }),
      ...violations.map((one) => JSON.stringify(one)),
      ...(rebuild.code === 0 ? [] : [`rebuild: ${rebuild.output}`]),
      ...(doctor.output.includes(' well ') ? left : [doctor.output]),
    ];
  };
  return { pool, before, start, run, settled, wrongs };
};

/** A busy machine takes several times as long as a quiet one. */
const LIMIT = 600_000;

it(
  'finishes what the earlier programs had begun, and loses and repeats none of it',
  async () => {
    const site = await openFixture();
    const { program } = await site.start('infra/start/main.ts');
    await site.settled();
    await program.interrupt();
    expect(await site.wrongs()).toEqual([]);
  },
  LIMIT,
);
