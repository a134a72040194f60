/** What an answer must be like, and what must be so at the end. */

import { failingJobs } from '#command-api/jobs/jobs.ts';
import { allEvents } from '#domain/all-events.ts';
import { errors } from '#domain/kernel/errors.ts';
import { START } from '#infra/event-log/event-log.ts';
import { SANDBOX_PATH } from '#infra/payments/sandbox/plugin.ts';
import { findViolations } from '#infra/read-models/invariants.ts';
import { positionOf } from '#infra/subscriptions/subscription.ts';
import { readModelsRight } from '#tests/chaos/verify.ts';
import { person } from '#tests/kit/prepared-sale.ts';
import type { Draft } from './draft.ts';
import { isDecision, paidBackByHand, withoutDecisions } from './paid-back.ts';
import type { Reply } from './socket.ts';
import { buy, freshListing, type Target } from './target.ts';

/** Refusals of the server for want of capacity: right, if rare, and counted by name. */
const JUSTIFIED = new Set<string>(['BUSY']);

const jsonOf = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString());
  } catch {
    // Whoever asked for an object is told that there is none.
    return undefined;
  }
};

/** The `code` of an error's body. */
export const codeOf = ({ body }: Reply): string | undefined => {
  const value = jsonOf(body);
  if (typeof value !== 'object' || value === null || !('code' in value)) return undefined;
  return typeof value.code === 'string' ? value.code : undefined;
};

const entryOf = (code: string): { readonly status: number } | undefined =>
  Object.entries(errors).find(([name]) => name === code)?.[1];

const isError = (value: unknown): value is { message: string; code: string; requestId: string } =>
  typeof value === 'object' &&
  value !== null &&
  ['message', 'code', 'requestId'].every((name) => typeof Reflect.get(value, name) === 'string');

/** The provider's own shape: the sandbox speaks as the provider would. */
const isProvidersError = (value: unknown): boolean => {
  const error = typeof value === 'object' && value !== null ? Reflect.get(value, 'error') : undefined;
  return typeof error === 'object' && error !== null && typeof Reflect.get(error, 'message') === 'string';
};

/** What is wrong with an answer; undefined if nothing is. */
export const judge = (
  draft: Pick<Draft, 'method' | 'path' | 'spoilt' | 'line'>,
  reply: Reply,
): string | undefined => {
  const { status, headers, body } = reply;
  const onWire = draft.spoilt.some((how) => how.startsWith('wire'));
  if (status === 0) return onWire ? undefined : 'the connection was closed without an answer';
  const code = codeOf(reply);
  if (status >= 500 && !(status === 503 && code !== undefined && JUSTIFIED.has(code)))
    return `answered ${status} ${code ?? ''}`;
  const type = headers.get('content-type') ?? '';
  if (status < 400) {
    const json = type.startsWith('application/json') && draft.method !== 'HEAD' && body.length > 0;
    return json && jsonOf(body) === undefined && status !== 206 ? 'the body is not JSON' : undefined;
  }
  if (draft.method === 'HEAD') return undefined;
  // The client's own page, for what is no call; another host's address or `*` is none.
  const noCall = draft.line !== undefined || !draft.path.startsWith('/api/');
  if (status === 404 && type.startsWith('text/html') && noCall) return undefined;
  const value = jsonOf(body);
  // The request line may lead there although the path that it was made of no longer does.
  const toSandbox = draft.path.startsWith(SANDBOX_PATH) || draft.line?.includes(SANDBOX_PATH);
  if (toSandbox && isProvidersError(value)) return undefined;
  if (!isError(value))
    return `${status} without { message, code, requestId }: ${body.toString().slice(0, 200)}`;
  const entry = entryOf(value.code);
  if (!entry) return `${value.code} is not in the catalogue of errors`;
  return entry.status === status ? undefined : `${value.code} came with ${status}`;
};

const count = async ({ foundation }: Target, what: string): Promise<number> => {
  const { rows } = await foundation.database.pool.query<{ count: number }>(
    `select count(*)::int as count from ${what}`,
  );
  return rows[0]?.count ?? 0;
};

const SETTLED_WITHIN = 60_000;

/**
 * Waits until nothing is on its way any more: what the provider has still to tell, what the policies have still to make jobs
 * of, the jobs, the read models and what is asked of their projector, each looked at after what may add to it.
 */
const settle = async (target: Target): Promise<readonly string[]> => {
  const { log, database } = target.foundation;
  const { pool } = database;
  const until = Date.now() + SETTLED_WITHIN;
  for (;;) {
    const head = await log.head();
    const notices = await count(target, 'app.sandbox_webhook');
    const reacted = await positionOf(pool, 'jobs');
    const jobs = await count(target, 'app.job where due_at <= now()');
    const { rows } = await pool.query<{ position: string }>('select position from read.checkpoint');
    const work = await count(target, "app.operation where ended_at is null and kind <> 'compare-log'");
    const behind = reacted !== head || rows[0]?.position !== head;
    if (notices === 0 && !behind && jobs === 0 && work === 0 && (await log.head()) === head) return [];
    if (Date.now() > until)
      return [
        `not settled: ${notices} notices of the provider wait, ${jobs} jobs are due, the policies are at ${reacted}, ` +
          `read models at ${rows[0]?.position}, log at ${head}, ${work} pieces of work for the projector`,
      ];
    await new Promise((done) => setTimeout(done, 200));
  }
};

const everyEventDecodes = async ({ foundation: { log, codec } }: Target): Promise<readonly string[]> => {
  const wrong: string[] = [];
  for await (const { events } of log.readAll(START)) {
    try {
      const decoded = await codec.decode(events);
      for (const { event, position } of decoded)
        if (!Object.hasOwn(allEvents, event.type)) wrong.push(`${event.type} at ${position} is unknown`);
    } catch (error) {
      wrong.push(`events from ${events[0]?.position} on don't decode: ${String(error)}`);
    }
  }
  return wrong;
};

const buys = async (target: Target): Promise<readonly string[]> => {
  try {
    await buy(target, await person(target.deps, 'user', 'last'), (await freshListing(target)).listingId);
    return [];
  } catch (error) {
    return [`a normal purchase fails: ${String(error)}`];
  }
};

/** Judges what is left, and the errors that were `logged`. Empty: all is well. */
export const judgeEnd = async (target: Target, logged: readonly string[]): Promise<readonly string[]> => {
  const { pool } = target.foundation.database;
  const bought = await buys(target);
  const unsettled = await settle(target);
  const violations = await findViolations(pool, { settleAfter: 0, now: new Date() });
  const paidBack = await paidBackByHand(target);
  const failing = (await failingJobs(pool)).filter((job) => !isDecision(job, paidBack));
  const { rows: unsent } = await pool.query<{ kind: string; given_up: string }>(
    // Whoever deleted their account can't be written to any more.
    "select kind, given_up::text from app.outbox where given_up <> 'nobody to write to'",
  );
  return [
    ...bought,
    ...unsettled,
    ...(await everyEventDecodes(target)),
    ...violations.map(({ rule, of, detail }) => `${rule}: ${of}: ${detail}`),
    ...(await readModelsRight(target.foundation)),
    ...failing.map((job) => `a job keeps failing: ${JSON.stringify(job).slice(0, 1_000)}`),
    ...unsent.map(({ kind, given_up }) => `a mail was given up: ${kind} ${given_up}`),
    ...('polluted' in {} ? ['Object.prototype is polluted'] : []),
    ...withoutDecisions(logged, paidBack).map((line) => `logged: ${line.slice(0, 1_500)}`),
  ];
};
