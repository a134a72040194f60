import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { AccessEvent } from '#domain/booking/events.ts';
import { contextOf } from '#infra/http/context.ts';
import type { QueryContext } from '#query-api/context.ts';

/** Records what somebody did with a booking in `access-{bookingId}`, a stream that nobody decides on. */
export const recordAccess = async (
  { log, codec, clock }: QueryContext,
  request: FastifyRequest,
  event: AccessEvent,
): Promise<void> => {
  const stream = `access-${event.data.bookingId}`;
  const context = contextOf(request, clock);
  const meta = await codec.encodeMeta(context);
  const encoded = await codec.encode(event, randomUUID(), stream, context, meta);
  await log.append([{ stream, expected: 'any', events: [encoded] }]);
};
