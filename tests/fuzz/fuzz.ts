/** A run: so many spoilt requests at once and one after the other, every answer judged, and the end as well. */

import { pino } from 'pino';
import Stripe from 'stripe';
import { type Chance, chanceOf } from '#tests/kit/chance.ts';
import { type Call, readCalls } from './calls.ts';
import { type Credentials, type Draft, encode, senderOf, validDraft } from './draft.ts';
import { codeOf, judge, judgeEnd } from './judge.ts';
import { exchange, type Reply } from './socket.ts';
import { spoil } from './spoil.ts';
import { csrfOf, startTarget, type Target } from './target.ts';

export interface FuzzOptions {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly requests: number;
  readonly seed: string;
  /** How many are under way at once. */
  readonly together?: number;
  /** Only these, by their number: what a failure is looked at with. */
  readonly only?: ReadonlySet<number>;
  /** Hears of each failure at once. */
  tell?(failure: Failure): void;
}

export interface Failure {
  readonly nth: number;
  readonly call: string;
  readonly who: string;
  readonly spoilt: readonly string[];
  readonly wrong: string;
  /** The request to the letter; `{session}` and `{csrf}` stand for the sender's own. */
  readonly request: string;
}

export type FuzzReport = Awaited<ReturnType<typeof fuzz>>;

/** Bookings get cancelled and scanned: after so many requests there are some more. */
const RESTOCK_EVERY = 150;
const LONGEST_SHOWN = 1_500;

const count = (counts: Record<string, number>, name: string): void => {
  counts[name] = (counts[name] ?? 0) + 1;
};

/** Calls with bodies come more often than those without. */
const weighted = (calls: readonly Call[]): readonly Call[] =>
  calls.flatMap((call) => {
    const weight =
      call.kind !== 'none' ? 4 : call.path.includes('{') || Object.keys(call.query).length > 0 ? 2 : 1;
    return Array.from({ length: call.name === 'DELETE /api/profile' ? 1 : weight }, () => call);
  });

/** Remembers ids and tokens that answers hold, so that later requests ask for what is there. */
const harvest = ({ stock }: Target, path: string, wanted: ReadonlySet<string>, body: Buffer): void => {
  const segment = path.split('/').filter((part) => part !== '' && !/\d|admin|^api$|%/.test(part))[0] ?? '';
  const keep = (name: string, value: unknown): void => {
    if (typeof value !== 'string' && typeof value !== 'number') return;
    if (typeof value === 'string' && (value === '' || value.length > 200)) return;
    const known = stock.get(name) ?? [];
    if (!known.includes(value) && typeof value === typeof (known[0] ?? value))
      stock.set(name, [...known, value].slice(-30));
  };
  const waiting: unknown[] = [JSON.parse(body.toString())];
  for (let left = 300; waiting.length > 0 && left > 0; left--) {
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null) continue;
    for (const [name, value] of Object.entries(next)) {
      if (name === 'id') keep(`${segment}.id`, value);
      else if (wanted.has(name)) keep(name, value);
      waiting.push(value);
    }
  }
};

const stripe = new Stripe('sk_test_only_signs');

class Run {
  /** How often each status came; 0: closed without an answer. */
  readonly byStatus: Record<string, number> = {};
  readonly byCode: Record<string, number> = {};
  /** How often each call was let through, so that nobody believes in a run that only ever met the gate. */
  readonly succeeded: Record<string, number> = {};
  readonly failures: Failure[] = [];
  /** Errors that the product logged as its own fault. */
  readonly faults: string[];
  sent = 0;
  readonly #target: Target;
  readonly #options: FuzzOptions;
  readonly #calls: readonly Call[];
  readonly #wanted: ReadonlySet<string>;
  readonly #chance: Chance;

  constructor(target: Target, calls: readonly Call[], faults: string[], options: FuzzOptions) {
    this.#target = target;
    this.#options = options;
    this.#calls = weighted(calls);
    this.#chance = chanceOf(options.seed);
    this.faults = faults;
    const parameters = calls.flatMap(({ path, query, body }) => [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
      ...Object.keys(query),
      ...Object.keys(body.properties ?? {}),
    ]);
    const free = 'name title description message email password date time price quantity'.split(' ');
    this.#wanted = new Set(parameters.filter((name) => !free.includes(name)));
  }

  async all(): Promise<void> {
    const { requests, together = 8, only } = this.#options;
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let nth = next++; nth < requests; nth = next++) {
        if (!only && nth % RESTOCK_EVERY === 0) await this.#target.restock();
        if (!only || only.has(nth)) await this.#one(nth);
      }
    };
    await Promise.all(Array.from({ length: together }, worker));
  }

  async #one(nth: number): Promise<void> {
    const chance = this.#chance.child(nth);
    const call = chance.pick(this.#calls);
    const who = senderOf(call, chance);
    const person = who === 'visitor' ? undefined : this.#target.personOf(who, chance.between(0, 11));
    const draft = validDraft(call, who, this.#target.stockOf(person), chance);
    spoil(draft, chance);
    const bytes = encode(draft, this.#credentials(person?.token));
    this.sent++;
    const faultsBefore = this.faults.length;
    try {
      const cut = draft.spoilt.some((how) => /^wire (cut|length|chunks)$/.test(how));
      const reply = await exchange(this.#target.origin, { bytes, cut, head: draft.method === 'HEAD' });
      this.#count(draft, reply);
      const wrong = judge(draft, reply);
      if (wrong) this.#fail(nth, draft, `${wrong} ${this.faults.slice(faultsBefore).join(' ')}`);
      const isJson = reply.headers.get('content-type')?.startsWith('application/json');
      if (reply.status < 300 && isJson && reply.body.length > 0)
        harvest(this.#target, draft.path, this.#wanted, reply.body);
      const changed = reply.status === 401 || reply.status === 403 || reply.headers.has('set-cookie');
      if (who !== 'visitor' && person && changed) await this.#target.renew(who, person);
    } catch (error) {
      this.#fail(nth, draft, String(error));
    }
  }

  #credentials(token: string | undefined): Credentials {
    const { sandbox, foundation } = this.#target;
    return {
      session: token ?? '',
      csrf: csrfOf(token ?? null),
      log: foundation.log.id,
      ...{ secretKey: sandbox.secretKey, publishableKey: sandbox.publishableKey },
      sign: (payload) => stripe.webhooks.generateTestHeaderString({ payload, secret: sandbox.webhookSecret }),
    };
  }

  #count(draft: Draft, reply: Reply): void {
    count(this.byStatus, String(reply.status));
    const code = reply.status >= 400 ? codeOf(reply) : undefined;
    if (code) count(this.byCode, code);
    if (reply.status > 0 && reply.status < 300) count(this.succeeded, draft.call);
  }

  #fail(nth: number, draft: Draft, wrong: string): void {
    const names = ['session', 'csrf', 'log', 'secretKey', 'publishableKey'] as const;
    const own = Object.fromEntries(names.map((name) => [name, `{${name}}`])) as Record<
      (typeof names)[number],
      string
    >;
    const shown = { ...own, sign: () => '{signature}' };
    const request = JSON.stringify(encode(draft, shown).toString()).slice(0, LONGEST_SHOWN);
    const failure = { nth, call: draft.call, who: draft.who, spoilt: draft.spoilt, wrong, request };
    this.failures.push(failure);
    this.#options.tell?.(failure);
  }
}

/** Runs against a product of its own on an empty database. */
export const fuzz = async (options: FuzzOptions) => {
  const { databaseUrl, dataDir } = options;
  const faults: string[] = [];
  const logger = pino({ level: 'error' }, { write: (line: string) => void faults.push(line) });
  const crash = (error: unknown): void =>
    void faults.push(`nobody caught ${error instanceof Error ? error.stack : error}`);
  const target = await startTarget({ databaseUrl, dataDir, logger });
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  try {
    const run = new Run(target, await readCalls(target.origin), faults, options);
    await run.all();
    const wrong = await judgeEnd(target, faults);
    const { sent, byStatus, byCode, succeeded, failures } = run;
    return { sent, byStatus, byCode, succeeded, failures, wrong };
  } finally {
    await target.stop();
    process.off('uncaughtException', crash);
    process.off('unhandledRejection', crash);
  }
};
