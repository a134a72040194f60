import { type Act, type AnyEvent, AUDITED_TYPES, actOf } from '#domain/all-events.ts';
import type { RecordedEvent } from '#infra/event-log/event-log.ts';
import { auditTable } from '#infra/read-models/tables.ts';
import type { Applied, DeclaredProjection, Projected } from '#projector/engine/projection.ts';

/** Matches a staff role in `meta` (canonical JSON) without parsing. */
const STAFF = /"role":"(?:staff|auditor|admin|superuser)"/;

/** A command's entry is about the last of these that it touches, else about the first entity. */
const CENTRAL: readonly string[] = ['booking', 'user', 'event'] satisfies Act['entity'][];

/** Template id, setting key, or the stream name after the first hyphen. */
const idOf = ({ event: { data }, stream }: Applied<AnyEvent>, entity: Act['entity']): string => {
  if ('templateId' in data) return String(data.templateId);
  if ('hookId' in data) return String(data.hookId);
  if ('key' in data && entity === 'setting') return data.key;
  const known = entity !== 'subscriber' && entity !== 'export' && entity !== 'look-up';
  return known ? stream.slice(stream.indexOf('-') + 1) : '';
};

const lowered = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1);

/** One row per command; side effects (a deleted event's cancellations) are omitted. */
const auditRows: Projected<typeof auditTable, AnyEvent> = {
  table: auditTable,
  types: AUDITED_TYPES,
  wants: ({ stream, type, data, meta }: RecordedEvent) =>
    // Viewing the log is left out, since it changes nothing and would flood the trail; exports of it count.
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
