/**
 * An upgrade: today's programs on the database of an earlier commit (`fixture.ts`), which has work of every kind under way. It guards
 * changes to the queues, to the subscriptions and to the tables.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { toPosition } from '#infra/event-log/batch.ts';
import { toToken } from '#infra/event-log/checkpoint.ts';
import { freePort } from '#infra/lib/machine.ts';
import { findViolations } from '#infra/read-models/invariants.ts';
import { freshDatabase } from '#tests/kit/database.ts';
import { atTheEnd } from '#tests/kit/endings.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { Program } from '#tests/kit/program.ts';
import { ENVIRONMENT, putBack, readAbout } from './fixture.ts';
import { startMailServer, startOrganiser } from './outside.ts';
import { Person, publishableKeyAt } from './person.ts';
import { untilNothingIsMissing, untilReady } from './until.ts';
import { judge, judgeOutside, lookAt } from './verdict.ts';

// A busy machine takes several times as long as a quiet one.
vi.setConfig({ testTimeout: 600_000 });

const runProgram = promisify(execFile);

const ROOT = join(import.meta.dirname, '../..');

/** Checks the programs that made the fixture out into a folder of their own, on the packages that are installed here. Or says why that can't be. */
const checkOutEarlier = async (): Promise<{ readonly root: string } | { readonly why: string }> => {
  const { commit } = await readAbout();
  const git = (...args: readonly string[]) => runProgram('git', ['-C', ROOT, ...args]);
  const isKnown = await git('cat-file', '-e', `${commit}^{commit}`).then(
    () => true,
    () => false,
  );
  if (!isKnown) return { why: `the history has no commit ${commit} here` };
  const root = await freshFolder();
  const archive = join(root, 'archive.tar');
  await git('archive', `--output=${archive}`, commit);
  await runProgram('tar', ['-xf', archive, '-C', root]);
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const gone = Object.keys(dependencies).filter((name) => !existsSync(join(ROOT, 'node_modules', name)));
  if (gone.length > 0) return { why: `packages of that commit are not installed: ${gone.join(', ')}` };
  for (const made of ['node_modules', 'web/dist', 'web/dist-server'])
    await symlink(join(ROOT, made), join(root, made));
  return { root };
};

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

  /** Starts a program, and resolves when it can serve. @param root of the commit that it is of. Default: of this one */
  const start = async (file: string, root?: string) => {
    const port = await freePort();
    const program = new Program(file, { env: { ...env, PORT: String(port) }, ...(root ? { root } : {}) });
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

  /** Whether what is read at `origin` is older than the log. */
  const isStale = async (origin: string): Promise<boolean> => {
    const { rows } = await pool.query<{ id: string; head: number }>(
      'select id, (select max(position)::int from log.event) as head from log.identity',
    );
    const position = rows.map(({ id, head }) => toToken(id, toPosition(head))).join();
    return (await fetch(`${origin}/api/cities`, { headers: { 'x-min-position': position } })).headers.has(
      'x-stale',
    );
  };

  /** Waits until all is done that the log asks for, and everybody can read it at `origin`. */
  const settled = (origin: string) =>
    untilNothingIsMissing(async () => {
      const { missing } = judge(await lookAt(pool), before);
      return missing.length === 0 && (await isStale(origin)) ? ['the read models are stale'] : missing;
    });

  /** What is wrong with the site, in words. Its programs have ended. */
  const wrongs = async (): Promise<readonly string[]> => {
    const now = await lookAt(pool);
    const { wrong } = judge(now, before);
    const violations = await findViolations(pool, { settleAfter: 0, now: new Date() });
    const rebuild = await run('projector/rebuild/rebuild-main.ts', '--check');
    const doctor = await run('infra/start/doctor.ts');
    const complaints = doctor.output.split('\n').filter((line) => line.includes('WRONG'));
    // The event that no read model could take is still put aside.
    const left = complaints.filter(
      (line) => !parked.some(({ position }) => line.includes(`${position} is parked`)),
    );
    return [
      ...wrong,
      ...judgeOutside(now, before, { mailServer, organiser }),
      ...violations.map((one) => JSON.stringify(one)),
      ...(rebuild.code === 0 ? [] : [`rebuild: ${rebuild.output}`]),
      ...(doctor.output.includes(' well ') ? left : [doctor.output]),
    ];
  };
  return { start, settled, wrongs };
};

it('an upgrade finishes the former programs’ work without loss or repetition', async () => {
  const site = await openFixture();
  const { program, origin } = await site.start('infra/start/main.ts');
  await site.settled(origin);
  const visitor = new Person();
  const [shown] = await visitor.call('GET', `${origin}/api/events?search=Paper+Moons`);
  expect(await visitor.send('GET', origin + new URL(shown.imageUrl).pathname)).toMatchObject({ status: 200 });
  await program.interrupt();
  expect(await site.wrongs()).toEqual([]);
});

it('an upgrade finishes the former programs’ work while they run beside the new ones', async ({ skip }) => {
  const earlier = await checkOutEarlier();
  if ('why' in earlier) return skip(earlier.why);
  const site = await openFixture();
  const startAll = async (root?: string) => {
    // As docs/operations/deployment.md says: the projector brings the tables up to date.
    const projector = await site.start('projector/main.ts', root);
    const [commands, queries] = await Promise.all([
      site.start('command-api/main.ts', root),
      site.start('query-api/main.ts', root),
    ]);
    const programs = [commands, queries, projector].map(({ program }) => program);
    return {
      commands: commands.origin,
      queries: queries.origin,
      stop: () => Promise.all(programs.map((program) => program.interrupt())),
    };
  };
  const old = await startAll(earlier.root);
  const key = await publishableKeyAt(old.queries);
  const signIn = (name: string) => Person.signIn(old.commands, name);
  const [sue, ann, ben] = [await signIn('sue'), await signIn('ann'), await signIn('ben')];
  const [eve, fay] = [await signIn('eve'), await signIn('fay')];
  const [shown] = await sue.call('GET', `${old.queries}/api/events?search=Paper+Moons`);
  const listing = { id: shown.id, price: 2_000 };
  const bookingsOf = async (who: Person, origin: string): Promise<readonly number[]> =>
    (await who.call('GET', `${origin}/api/bookings`)).map(({ id }: { id: number }) => id).sort();

  await ann.buy(old.commands, key, listing);
  const today = await startAll();
  await Promise.all([
    ann.buy(today.commands, key, listing, { quantity: 2 }),
    ben.buy(old.commands, key, listing, { promoCode: 'SPRING' }),
    eve.buy(old.commands, key, listing).then((id) => eve.cancel(today.commands, id)),
    fay.buy(today.commands, key, listing).then((id) => fay.cancel(old.commands, id)),
  ]);
  const undecided = `${today.queries}/api/admin/refunds?status=processing&processing=manual`;
  const [refund] = await sue.call('GET', undecided);
  await sue.call('POST', `${today.commands}/api/admin/refunds/${refund.id}/process`, { approved: true });
  await site.settled(old.queries);
  await site.settled(today.queries);
  expect(await bookingsOf(ann, today.queries)).toEqual(await bookingsOf(ann, old.queries));

  // Each asks for comparisons, and whichever programs make them, both show them.
  for (const { commands, queries } of [old, today]) {
    await sue.call('POST', `${commands}/api/admin/projections/work`, { kind: 'check' });
    await sue.call('POST', `${commands}/api/audit/verification`);
    await untilNothingIsMissing(async () => {
      const { work } = await sue.call('GET', `${queries}/api/admin/projections`);
      const { checks } = await sue.call('GET', `${queries}/api/audit/verification`);
      return [
        ...work.filter((one: { endedAt: string | null }) => one.endedAt === null),
        ...checks.filter((one: { doneAt: string | null }) => one.doneAt === null),
      ].map((one) => JSON.stringify(one));
    });
  }
  const { work } = await sue.call('GET', `${old.queries}/api/admin/projections`);
  const { checks } = await sue.call('GET', `${old.queries}/api/audit/verification`);
  expect(work).toMatchObject([
    { kind: 'check', failed: false },
    { kind: 'check', failed: false },
  ]);
  expect(checks.slice(0, 2)).toMatchObject([
    { findings: [], error: null },
    { findings: [], error: null },
  ]);

  await Promise.all([ann.buy(old.commands, key, listing), eve.buy(today.commands, key, listing)]);
  await site.settled(today.queries);
  await old.stop();
  await fay.cancel(today.commands, await fay.buy(today.commands, key, listing));
  await site.settled(today.queries);
  await today.stop();
  expect(await site.wrongs()).toEqual([]);
});
