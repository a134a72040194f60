/** The audit trail: what staff did, and what was done with accounts, whoever did it. */
import { allEvents } from '#domain/all-events.ts';
import { typesOf } from '#domain/personal.ts';
import type { RecordedEvent } from '#infra/event-log/event-log.ts';
import { auditTable } from '#infra/read-models/tables.ts';
import type { Projected, Projection } from '#projector/projection.ts';

/** Events of purchases and of background work, which are no acts of staff. They are most of the log, so they are not read for the audit trail. */
const ROUTINE: ReadonlySet<string> = new Set([
  'CheckoutOpened',
  'IntentAttached',
  'PaymentReceived',
  'CheckoutClosing',
  'CheckoutClosed',
  'CheckoutCompleted',
  'TicketsHeld',
  'HoldReleased',
  'TicketsSold',
  'UseReserved',
  'UseRedeemed',
  'UseReleased',
  'BookingPlaced',
  'MailSent',
]);

/** A role of staff in the text of `meta`, which is canonical JSON: found without parsing it. */
const STAFF = /"role":"(?:staff|auditor|admin|superuser)"/;

const entityOf = (stream: string): { entity_type: string; entity_id: string } => {
  // Some names of aggregates contain a dash themselves, as in `email-template-3`. Whatever follows the name is the id.
  const [, type, id] = /^(site|promo-code|email-template|[a-z]+)-(.+)$/.exec(stream) ?? [];
  return { entity_type: type ?? stream, entity_id: id ?? '' };
};

const auditRows: Projected<typeof auditTable> = {
  table: auditTable,
  types: typesOf(allEvents).filter((type) => !ROUTINE.has(type)),
  blind: 'any',
  wants: ({ stream, meta }: RecordedEvent) => stream.startsWith('account-') || STAFF.test(meta),
  keys: ({ id }) => [id],
  fold: (_row, { event, id, position, stream, meta }) => ({
    id,
    position,
    at: meta.at,
    actor_kind: meta.actor.kind,
    actor_id: meta.actor.id ?? null,
    actor_role: meta.actor.role ?? null,
    ip: meta.actor.ip === undefined ? null : JSON.stringify(meta.actor.ip),
    command_id: meta.commandId,
    action: event.type,
    stream,
    ...entityOf(stream),
    correlation_id: meta.correlationId,
  }),
};

export const audit: Projection = { name: 'audit', version: 1, tables: [auditRows] };
