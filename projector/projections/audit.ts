/** The audit trail: what staff did, and what was done with accounts, whoever did it. */
import { type Act, type AnyEvent, AUDITED_TYPES, actOf } from '#domain/all-events.ts';
import type { RecordedEvent } from '#infra/event-log/event-log.ts';
import { auditTable } from '#infra/read-models/tables.ts';
import type { Applied, DeclaredProjection, Projected } from '#projector/engine/projection.ts';

/** A role of staff in the text of `meta`, which is canonical JSON: found without parsing it. */
const STAFF = /"role":"(?:staff|auditor|admin|superuser)"/;

/** Of all that a command touches, it is about the last of these; otherwise about what it touched first. */
const CENTRAL: readonly string[] = ['booking', 'user', 'event'] satisfies Act['entity'][];

/** The id that people know: a template's, a setting's key, or what follows the first hyphen of the stream's name. */
const idOf = ({ event: { data }, stream }: Applied<AnyEvent>, entity: Act['entity']): string => {
  if ('templateId' in data) return String(data.templateId);
  if ('hookId' in data) return String(data.hookId);
  if ('key' in data && entity === 'setting') return data.key;
  const known = entity !== 'subscriber' && entity !== 'export' && entity !== 'look-up';
  return known ? stream.slice(stream.indexOf('-') + 1) : '';
};

const lowered = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1);

/** One row for each command, whatever it recorded. What it does to other things is left out: that a deleted event cancels bookings. */
const auditRows: Projected<typeof auditTable, AnyEvent> = {
  table: auditTable,
  types: AUDITED_TYPES,
  wants: ({ stream, type, data, meta }: RecordedEvent) =>
    // Who looks through the log changes nothing, and would fill the trail; files of it are exports like any other.
    (stream.startsWith('account-') || STAFF.test(meta)) &&
    !(type === 'LogRead' && data.includes('"as":"page"')),
  keys: ({ id, event, meta }) => [actOf(event)?.entity === 'scan' ? id : meta.correlationId],
  fold: (row, applied, id) => {
    const { event, position, meta } = applied;
    const act = actOf(event);
    if (!act) return row;
    const about = { entity_type: act.entity, entity_id: idOf(applied, act.entity) };
    if (row) {
      const weightier = CENTRAL.indexOf(act.entity) - CENTRAL.indexOf(row.entity_type);
      if (weightier > 0) return { ...row, ...about, action: act.action, details: act.words };
      const same = row.entity_type === about.entity_type && row.entity_id === about.entity_id;
      const news = same && !row.details.toLowerCase().includes(act.words.toLowerCase());
      return news ? { ...row, details: `${row.details}, ${lowered(act.words)}` } : row;
    }
    const { actor, at, correlationId } = meta;
    return {
      ...{ id, position, at, ...about, action: act.action, details: act.words },
      actor_kind: actor.kind,
      actor_id: actor.id ?? null,
      actor_role: actor.role ?? null,
      ip: actor.ip === undefined ? null : JSON.stringify(actor.ip),
      correlation_id: correlationId,
    };
  },
};

export const audit: DeclaredProjection = { name: 'audit', fold: 1, tables: [auditRows] };
