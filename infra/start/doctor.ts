import { failingJobs } from '#command-api/jobs/jobs.ts';
import { START } from '#infra/event-log/event-log.ts';
import { type Foundation, layFoundation } from '#infra/foundation/foundation.ts';
import { configOrExit, runTool, unlessAborted } from '#infra/foundation/process.ts';
import { siteDatabase } from '#infra/foundation/site-database.ts';
import { readErasureRegister, registerOf } from '#infra/keys/erasure-register.ts';
import { exposedSecrets } from '#infra/keys/files.ts';
import { argumentsOrExit } from '#infra/lib/arguments.ts';
import { wordsOf } from '#infra/lib/cannot-start.ts';
import { createLogger } from '#infra/lib/logger.ts';
import { givenUpMails, REFUSED_WORDS, TOO_LATE_WORDS } from '#infra/mail/outbox.ts';
import { findViolations } from '#infra/read-models/invariants.ts';
import { eachUnread } from '#infra/subscriptions/unread.ts';
import { listParked } from '#projector/rebuild/parked.ts';

const HELP = `Looks at the log, the read models, the tickets, the jobs, the secrets, the erasures and the mails of a site, and says what is wrong.

  npm run doctor

It takes the same variables as the site. Nothing is changed, so that a site can be looked at whose disk is full or read-only.
Exits with 1 if anything is wrong.
Whether every row of the read models is what the log says: npm run rebuild -- --check`;

const TELL_LATE = 7 * 24 * 3_600_000;

interface Finding {
  readonly well: boolean;
  readonly says: string;
}

const well = (says: string): Finding => ({ well: true, says });
const wrong = (says: string): Finding => ({ well: false, says });

const checks: Readonly<Record<string, (foundation: Foundation) => Promise<readonly Finding[]>>> = {
  async 'event log'({ log, codec }) {
    let events = 0;
    let last = START;
    for await (const { events: page } of log.readAll(START)) {
      await codec.decode(page);
      for (const { position, id } of page) {
        if (position <= last) return [wrong(`event ${id} at ${position} is out of order`)];
        last = position;
      }
      events += page.length;
    }
    return [well(`${events} events, all in order and readable`)];
  },

  async 'read models'({ database, log }) {
    const { rows } = await database.pool.query<{ log_id: string; position: string }>(
      'select log_id, position from read.checkpoint',
    );
    const [checkpoint] = rows;
    if (!checkpoint) return [wrong('they have no checkpoint')];
    if (checkpoint.log_id !== log.id) return [wrong('they follow another log')];
    const parked = await listParked(database.pool);
    const behind = checkpoint.position < (await log.head()) ? ', and more is to come' : '';
    return [
      well(`at ${checkpoint.position || 'the beginning'}${behind}`),
      ...parked.map(({ position, type, error }) =>
        wrong(`${type} at ${position} is parked: ${error ?? 'waits behind another'}`),
      ),
    ];
  },

  async 'tickets and money'({ database, clock }) {
    const violations = await findViolations(database.pool, { now: clock() });
    if (violations.length === 0)
      return [well('sold, held and free make the capacity, and every payment has its booking')];
    return violations.map((violation) => wrong(JSON.stringify(violation)));
  },

  async jobs({ database }) {
    const failing = await failingJobs(database.pool);
    const unread = await eachUnread(database.pool);
    if (failing.length + unread.length === 0) return [well('none keeps failing')];
    return [
      ...failing.map((job) => wrong(JSON.stringify(job))),
      ...unread.map(({ type, position, error }) =>
        wrong(`${type} at ${position} has made no jobs: ${error}. A newer program has to read it.`),
      ),
    ];
  },

  async secrets({ config }) {
    const exposed = await exposedSecrets(config.dataDir);
    if (exposed.length === 0) return [well('nobody but their owner reads those in DATA_DIR')];
    return exposed.map((file) => wrong(`${file} can be read by others: chmod 600`));
  },

  async erasures({ config, database, clock }) {
    const register = await readErasureRegister(registerOf(config));
    const { rows: kept } = await database.pool.query(
      'select from keys.subject where destroyed_at is null and subject = any($1)',
      [register.map(({ subject }) => subject)],
    );
    const { rows: waiting } = await database.pool.query<{ account_id: string; asked_at: Date }>(
      `select account_id, asked_at from app.erasure
        where done_at is null and asked_at < $1::timestamptz - interval '1 hour' order by asked_at`,
      [clock()],
    );
    if (kept.length + waiting.length === 0) return [well('all that were asked for are done')];
    const back = `${kept.length} whom the register of erasures names can be read: stop the site, npm run erase-again`;
    return [
      ...(kept.length > 0 ? [wrong(back)] : []),
      ...waiting.map(({ account_id, asked_at }) =>
        wrong(`account ${account_id} is not erased, as was asked for at ${asked_at.toISOString()}`),
      ),
    ];
  },

  async mails({ database, clock }) {
    const given = await givenUpMails(database.pool);
    const late = given.filter(({ why }) => why === TOO_LATE_WORDS);
    const refused = given.filter(({ why }) => why === REFUSED_WORDS);
    // Old failures can't be fixed, and a missing address is not the site's fault.
    const recent = late.filter(({ createdAt }) => createdAt.getTime() > clock().getTime() - TELL_LATE);
    return [
      ...recent.map(({ id, kind, why }) => wrong(`mail ${id} (${kind}): ${why}`)),
      ...(recent.length === 0 ? [well('none of the last 7 days was given up for being late')] : []),
      ...(late.length > recent.length
        ? [well(`${late.length - recent.length} were too late before that`)]
        : []),
      ...(refused.length > 0
        ? [well(`${refused.length} were ${REFUSED_WORDS}, as nobody has the address`)]
        : []),
    ];
  },
};

argumentsOrExit(HELP, {});
const config = configOrExit();
await runTool(async (life) => {
  const foundation = await layFoundation({
    name: 'doctor',
    config,
    ...(await siteDatabase(config, life)),
    logger: createLogger({ name: 'doctor', level: 'error' }),
    looks: true,
  });
  life.onEnd(() => foundation.close());
  let complaints = 0;
  for (const [name, check] of Object.entries(checks)) {
    life.signal.throwIfAborted();
    const findings = await unlessAborted(life.signal, check(foundation)).catch((error: unknown) => [
      wrong(wordsOf(error)),
    ]);
    for (const finding of findings) {
      if (!finding.well) complaints += 1;
      console.log(`${finding.well ? '  well ' : '  WRONG'}  ${name}: ${finding.says}`);
    }
  }
  console.log(
    complaints === 0 ? '\nAll is well.' : `\n${complaints} ${complaints === 1 ? 'complaint' : 'complaints'}.`,
  );
  if (complaints > 0) process.exitCode = 1;
});
