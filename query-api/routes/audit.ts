import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import type { FastifyRequest } from 'fastify';
import { type AskedFilter, auditCalls, type LogEntry } from '#domain/contracts/audit.ts';
import { headers } from '#domain/contracts/envelope.ts';
import { isErased } from '#domain/kernel/personal.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { isUnreadable } from '#infra/event-log/codec.ts';
import type { RecordedEvent } from '#infra/event-log/event-log.ts';
import { installMinPosition } from '#infra/http/position.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import { keepsNewest } from '#infra/lib/lru.ts';
import { lineOf } from '#infra/proof/proof.ts';
import { logIndexVisibility } from '#infra/read-models/log-index.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { entryOf, eventTypes, IndexedLog, sealedFieldsOf } from '#query-api/queries/log.ts';
import { differencesOf, statesAround } from '#query-api/queries/state-changes.ts';
import { type CsvColumns, csvOf, inSlices } from './list.ts';
import { recordLogRead, recordRead } from './record.ts';

const columns: CsvColumns<LogEntry> = [
  ['Position', ({ position }) => position.replace(/^0+/, '')],
  ['Recorded', ({ recordedAt }) => recordedAt],
  ['Given', ({ at }) => at],
  ['Stream', ({ stream }) => stream],
  ['Revision', ({ revision }) => revision],
  ['Type', ({ type }) => type],
  ['Actor', ({ actor }) => actor.id ?? actor.kind],
  ['Role', ({ actor }) => actor.role],
  ['Correlation', ({ correlationId }) => correlationId],
  ['Caused by', ({ causationId }) => causationId],
  ['Command', ({ commandId }) => commandId],
  ['Id', ({ id }) => id],
  ['Data', ({ data }) => JSON.stringify(data)],
];

export const auditRoutes = (app: App, context: QueryContext): void => {
  const { pool, log, codec, clock } = context;
  installMinPosition(app, log, logIndexVisibility(pool));
  const indexed = new IndexedLog(pool, log);
  /**
   * Reading a page that was not offered is recorded: its cursor may be made up. One that another process
   * offered is recorded once too often.
   */
  const offered = keepsNewest<true>(10_000);

  route(app, auditCalls.list, async (request, reply) => {
    const { limit, cursor, ...filter } = request.query;
    const { records, next } = await indexed.page(filter, limit, cursor);
    const asked = `${request.principal.accountId} ${JSON.stringify(filter)}`;
    if (!cursor || !offered.has(`${asked} ${cursor}`)) await recordLogRead(context, request, 'page', filter);
    if (next) {
      offered.set(`${asked} ${next}`, true);
      reply.header(headers.cursor, next);
    }
    return records.map(entryOf);
  });

  route(app, auditCalls.types, () => eventTypes);

  route(app, auditCalls.read, async ({ params }) => {
    const record = await indexed.one(params.id);
    const states = await statesAround(log, codec, record);
    return {
      entry: entryOf(record),
      changes: states ? differencesOf(states.before, states.after) : null,
    };
  });

  route(app, auditCalls.tree, async ({ params }) => indexed.tree(await indexed.one(params.id)));

  route(app, auditCalls.sealed, async (request) => {
    const record = await indexed.one(request.params.id);
    const { id: eventId, stream, revision } = record;
    const [opened] = await codec.decode([record], { openIp: true }).catch((error: unknown) => {
      throw isUnreadable(error) ? new Refusal('UNREADABLE_EVENT') : error;
    });
    const address = opened?.meta.actor.ip;
    const values: Readonly<Record<string, unknown>> = {
      ...Object.fromEntries(
        sealedFieldsOf(record).map((field) => [field, Reflect.get(opened?.event.data ?? {}, field)]),
      ),
      ...(address !== undefined && { address }),
    };
    const data = { eventId, stream, revision, fields: Object.keys(values) };
    await recordRead(context, request, { type: 'SealedShown', data });
    const shown = Object.entries(values).map(([field, value]) => [field, isErased(value) ? null : value]);
    return { fields: Object.fromEntries(shown) };
  });

  const file = async (
    request: FastifyRequest & { readonly query: AskedFilter },
    as: 'ndjson' | 'csv',
    head: string,
    piece: (records: readonly RecordedEvent[]) => string,
  ) => {
    const filter = request.query;
    const { until, count } = await indexed.extent(filter);
    await recordLogRead(context, request, as, filter);
    const pieces = async function* () {
      yield head;
      for await (const records of indexed.all(filter, until))
        for await (const some of inSlices(records)) yield piece(some);
    };
    const sent = {
      [headers.total]: count,
      'content-disposition': `attachment; filename="log-${clock().toISOString().slice(0, 10)}.${as}"`,
      'cache-control': 'private, no-store',
    };
    return { sent, stream: Readable.from(pieces()) };
  };

  route(app, auditCalls.exportNdjson, async (request, reply) => {
    const { sent, stream } = await file(request, 'ndjson', '', (records) =>
      records.map((record) => `${lineOf(record)}\n`).join(''),
    );
    reply.type('application/x-ndjson; charset=utf-8').headers(sent);
    return stream;
  });

  route(app, auditCalls.exportCsv, async (request, reply) => {
    const head = `\uFEFF${stringify([columns.map(([header]) => header)])}`;
    const { sent, stream } = await file(request, 'csv', head, (records) =>
      csvOf(columns, records.map(entryOf)),
    );
    reply.type('text/csv; charset=utf-8').headers(sent);
    return stream;
  });
};
