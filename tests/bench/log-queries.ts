/** The first page of the auditors' log by each filter, in a log of a million events, against a bare query by an index on the log itself. */
import { performance } from 'node:perf_hooks';
import type { AskedFilter } from '#domain/contracts/audit.ts';
import type { EventLog } from '#infra/event-log/event-log.ts';
import { LOG_INDEX } from '#infra/read-models/log-index.ts';
import { openProjectorPool } from '#projector/engine/schema.ts';
import { createLogIndex, startLogIndex } from '#projector/log-index.ts';
import { IndexedLog } from '#query-api/queries/log.ts';
import { fillWithSales } from './rebuild.ts';
import type { Row } from './row.ts';
import type { Stage } from './stage.ts';

const PAGE = 50;
const ROUNDS = 20;

/** The middle one of so many times, in milliseconds. */
const middle = async (work: () => Promise<unknown>): Promise<number> => {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b)[ROUNDS >> 1] ?? 0;
};

const indexedUpTo = async (pool: ReturnType<typeof openProjectorPool>, log: EventLog): Promise<void> => {
  const head = await log.head();
  for (;;) {
    const { rows } = await pool.query(`SELECT position FROM ${LOG_INDEX}.checkpoint`);
    if (rows[0]?.position >= head) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

export const run = async (stage: Stage, { events = 1_000_000 } = {}): Promise<readonly Row[]> => {
  const url = await stage.freshDatabase();
  const { log, codec, close } = await stage.foundation(url);
  const pool = openProjectorPool(url, (error) => console.error(error.message));
  try {
    await fillWithSales(log, codec, events);
    await createLogIndex(pool, log);
    const began = performance.now();
    const indexing = startLogIndex(pool, log, { trouble: { met: console.error, over: () => undefined } });
    await indexedUpTo(pool, log);
    const seconds = (performance.now() - began) / 1_000;
    await indexing.stop();
    await pool.query(`VACUUM ANALYZE ${LOG_INDEX}.entry`);

    const indexed = new IndexedLog(pool, log);
    const [newest] = (await indexed.page({}, 1, undefined)).records;
    const [sale] = (await indexed.page({ type: 'TicketsSold' }, 1, undefined)).records;
    if (!newest || !sale) throw new Error('the log is empty');
    const { correlationId, actor } = JSON.parse(sale.meta);
    const filters: Readonly<Record<string, AskedFilter>> = {
      'no filter': {},
      'a stream of many events': { stream: sale.stream },
      'a type': { type: 'BookingPlaced' },
      'an actor': { actor: actor.id ?? actor.kind },
      'a correlation': { correlation: correlationId },
      'a time': { to: sale.recordedAt },
      'a rare word': { search: JSON.parse(sale.data).attempt },
      'a common word': { search: 'booking' },
      'a word that is not there': { search: 'zzzz' },
    };
    const rows: Row[] = [];
    for (const [name, filter] of Object.entries(filters))
      rows.push({
        what: `log: first page by ${name}, ${events.toLocaleString('en-GB')} events`,
        figure: await middle(() => indexed.page(filter, PAGE, undefined)),
        unit: 'ms',
      });
    const bare = await middle(() =>
      pool.query('SELECT * FROM log.event WHERE stream = $1 ORDER BY revision DESC LIMIT $2', [
        sale.stream,
        PAGE,
      ]),
    );
    rows.push({
      what: 'log: a bare query of as many events by the log’s own index',
      figure: bare,
      unit: 'ms',
    });
    rows.push({ what: 'log: events indexed', figure: events / seconds, unit: '/s' });
    return rows;
  } finally {
    await pool.end();
    await close();
  }
};
