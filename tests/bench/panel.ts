/**
 * The admin panel on a site that has sold for years: every question that its lists can be asked, and the dashboard's, against a page of the
 * same rows by their key.
 */
import * as z from 'zod/mini';
import { createCommandDeps } from '#command-api/deps/deps.ts';
import type { Call } from '#domain/contracts/call.ts';
import type { Foundation } from '#infra/foundation/foundation.ts';
import { declaredCalls } from '#tests/kit/declared-calls.ts';
import { person } from '#tests/kit/prepared-sale.ts';
import { fill } from './rebuild.ts';
import { type Row, row } from './row.ts';
import { salesMix } from './sales-mix.ts';
import { type Stage, settled } from './stage.ts';
import { median, request, session, Wire } from './wire.ts';

/** What a tab shows at once. */
const ON_A_PAGE = 25;
/** The middle one of so many answers counts. */
const TIMES = 5;
const EVENTS = 1_040_000;
/** Found often, seldom, in people's addresses only, and never. */
const WORDS = ['jazz', 'BK0004', 'example.test', 'Ångström', 'nothing-is-called-so'];
/** Where the rows of the large lists come from, and their key. */
const TABLES: Readonly<Record<string, string>> = {
  '/api/admin/bookings': 'booking',
  '/api/admin/users': 'account',
  '/api/admin/events': 'listing',
  '/api/admin/refunds': 'refund',
};

/** The values of a query's choices: its orders and its filters. */
const choices = ({ query }: Call): readonly string[] => {
  if (!(query instanceof z.ZodMiniObject)) return [];
  const inner = (schema: unknown): unknown =>
    schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniDefault
      ? inner(schema.def.innerType)
      : schema;
  return Object.entries(query.shape).flatMap(([name, schema]) => {
    const plain = inner(schema);
    if (plain instanceof z.ZodMiniEnum) return plain.options.map((value) => `${name}=${value}`);
    return name === 'search' ? WORDS.map((word) => `search=${encodeURIComponent(word)}`) : [];
  });
};

/** The calls of the panel that answer JSON and can be asked without naming a thing. */
const asked = async (): Promise<readonly Call[]> =>
  [...(await declaredCalls()).values()].filter(
    ({ method, path, query, answer }) =>
      method === 'GET' &&
      path.startsWith('/api/admin/') &&
      !path.includes('{') &&
      typeof answer === 'object' &&
      (!query || z.safeParse(query, {}).success),
  );

interface Slowest {
  readonly milliseconds: number;
  readonly question: string;
  readonly questions: number;
}

/** Asks all questions of a call. Each is asked as its first page and, where there is more, as its last. */
const slowestOf = async (wire: Wire, token: string, call: Call): Promise<Slowest> => {
  const headers = session(token);
  let slowest = { milliseconds: 0, question: '' };
  let questions = 0;
  const ask = async (question: string): Promise<number> => {
    const times: number[] = [];
    let total = 0;
    for (let time = 0; time < TIMES; time++) {
      const began = performance.now();
      const { status, head, body } = await wire.ask(request('GET', call.path + question, headers));
      times.push(performance.now() - began);
      if (status !== 200) throw new Error(`${call.path}${question}: ${status} ${body.toString()}`);
      total = Number(/^x-total-count: (\d+)/im.exec(head)?.[1] ?? 0);
    }
    const milliseconds = median(times);
    questions++;
    if (milliseconds > slowest.milliseconds) slowest = { milliseconds, question };
    return total;
  };
  const isList = call.query instanceof z.ZodMiniObject && 'page' in call.query.shape;
  if (!isList) await ask('');
  else {
    for (const choice of ['', ...choices(call).map((one) => `&${one}`)]) {
      const total = await ask(`?limit=${ON_A_PAGE}${choice}`);
      const pages = Math.ceil(total / ON_A_PAGE);
      if (pages > 1) await ask(`?limit=${ON_A_PAGE}${choice}&page=${pages}`);
    }
  }
  return { ...slowest, questions };
};

/** A page by its key, and the count of all, in PostgreSQL alone. */
const bare = async ({ database }: Foundation, table: string): Promise<number> => {
  const times: number[] = [];
  for (let time = 0; time < TIMES; time++) {
    const began = performance.now();
    await Promise.all([
      database.pool.query(`select * from read.${table} order by 1 desc limit ${ON_A_PAGE}`),
      database.pool.query(`select count(*) from read.${table}`),
    ]);
    times.push(performance.now() - began);
  }
  return median(times);
};

/** Measures; takes more than ten minutes, most of them to write and to project the log. */
export const run = async (stage: Stage): Promise<readonly Row[]> => {
  const url = await stage.freshDatabase();
  const foundation = await stage.foundation(url);
  await fill(foundation, salesMix(1, { listings: 10_000, newcomers: 18 }), EVENTS);
  const deps = createCommandDeps(foundation);
  const owner = await person(deps, 'superuser', 'owner');
  await stage.play('projector', url);
  await settled(foundation);
  await foundation.database.pool.query('vacuum analyze');
  const api = await stage.play('query-api', url);
  const wire = await Wire.open(api.port);
  const rows: Row[] = [];
  const others: Slowest[] = [];
  const said = ({ question, questions }: Slowest) => `slowest of ${questions} (${question || 'no choice'})`;
  for (const call of await asked()) {
    const found = await slowestOf(wire, owner.token, call);
    const table = TABLES[call.path];
    if (!table) {
      others.push({ ...found, question: call.path + found.question });
      continue;
    }
    const name = call.path.replace('/api/admin/', '');
    const counted = await foundation.database.pool.query<{ count: string }>(
      `select count(*) from read.${table}`,
    );
    const many = Number(counted.rows[0]?.count).toLocaleString('en-GB');
    const alone = await bare(foundation, table);
    rows.push(row(`panel: a page and the count of ${many} ${name}, PostgreSQL alone`, alone, 'ms'));
    rows.push(row(`panel: ${name}, ${said(found)}`, found.milliseconds, 'ms'));
  }
  const slowest = others.reduce((a, b) => (b.milliseconds > a.milliseconds ? b : a));
  const questions = others.reduce((sum, one) => sum + one.questions, 0);
  const rest = `panel: everything else, ${said({ ...slowest, questions })}`;
  wire.close();
  await deps.lane.drain();
  return [...rows, row(rest, slowest.milliseconds, 'ms')];
};
