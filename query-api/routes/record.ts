import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { AccessEvent } from '#domain/booking/events.ts';
import type { ReadsEvent } from '#domain/reads/events.ts';
import { contextOf } from '#infra/http/context.ts';
import type { QueryContext } from '#query-api/context.ts';

/** Appends to a stream that nobody decides on, whatever it holds. */
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

/** Records what somebody did with a booking, in `access-{bookingId}`. */
export const recordAccess = (
  context: QueryContext,
  request: FastifyRequest,
  event: AccessEvent,
): Promise<void> => record(context, request, `access-${event.data.bookingId}`, event);

/** Records that somebody exported a list, in `reads-{day}`, the day in UTC. */
export const recordExport = (
  context: QueryContext,
  request: FastifyRequest,
  exported: { readonly what: string; readonly rows: number },
): Promise<void> =>
  record(context, request, `reads-${context.clock().toISOString().slice(0, 10)}`, {
    type: 'DataExported',
    data: exported,
  });
