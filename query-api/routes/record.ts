import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ownerOf } from '#domain/aggregates.ts';
import { allEvents } from '#domain/all-events.ts';
import type { AccessEvent } from '#domain/booking/events.ts';
import type { AskedFilter } from '#domain/contracts/audit.ts';
import type { LogFilter, ReadsEvent } from '#domain/reads/events.ts';
import { contextOf } from '#infra/http/principal.ts';
import type { QueryContext } from '#query-api/context/context.ts';

const record = async (
  { log, codec, clock }: QueryContext,
  request: FastifyRequest,
  stream: string,
  event: AccessEvent | ReadsEvent,
): Promise<void> => {
  const context = contextOf(request, clock);
  const meta = await codec.encodeMeta(context);
  const encoded = await codec.encode(event, randomUUID(), stream, context, meta);
  await log.append([{ stream, expected: 'any', events: [encoded] }]);
};

export const recordAccess = (
  context: QueryContext,
  request: FastifyRequest,
  event: AccessEvent,
): Promise<void> => record(context, request, `access-${event.data.bookingId}`, event);

/** Stream `reads-{day}`, the day in UTC. */
export const recordRead = (
  context: QueryContext,
  request: FastifyRequest,
  event: ReadsEvent,
): Promise<void> => record(context, request, `reads-${context.clock().toISOString().slice(0, 10)}`, event);

export const recordGuests = (
  context: QueryContext,
  request: FastifyRequest,
  data: Extract<ReadsEvent, { type: 'GuestsShown' }>['data'],
): Promise<void> => recordRead(context, request, { type: 'GuestsShown', data });

export const recordExport = (
  context: QueryContext,
  request: FastifyRequest,
  exported: { readonly what: string; readonly rows: number },
): Promise<void> => recordRead(context, request, { type: 'DataExported', data: exported });

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Other text was typed by hand and may contain names. */
const FITS: Readonly<Record<keyof LogFilter, (text: string) => boolean>> = {
  from: () => true,
  to: () => true,
  actor: (text) => ID.test(text),
  stream: (text) => /^[\w-]+$/.test(text) && ownerOf(text) !== undefined,
  type: (text) => Object.hasOwn(allEvents, text),
  correlation: (text) => ID.test(text),
};

export const recordLogRead = (
  context: QueryContext,
  request: FastifyRequest,
  as: Extract<ReadsEvent, { type: 'LogRead' }>['data']['as'],
  { search, ...asked }: AskedFilter,
): Promise<void> => {
  const given = Object.entries(asked).filter(([, value]) => value) as [keyof LogFilter, string][];
  const filter = Object.fromEntries(given.filter(([name, text]) => FITS[name](text)));
  const words = given.filter(([name, text]) => !FITS[name](text)).map(([name, text]) => `${name}: ${text}`);
  const month = context.clock().toISOString().slice(0, 7);
  return recordRead(context, request, {
    type: 'LogRead',
    data: { as, filter, search: [search, ...words].filter(Boolean).join(', ') || null, month },
  });
};
