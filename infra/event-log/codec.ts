/**
 * Between deciders and the log's bytes: seals personal fields on the way in and opens them on the way out,
 * writes canonical JSON, and lifts old versions of a schema. Deciders and folds see plain values or `erased`.
 */
import type { DomainEvent } from '#domain/decider.ts';
import { type EventSchema, type EventSchemas, erased, isErased } from '#domain/personal.ts';
import { type KeyRef, type KeyStore, SubjectErased, type SubjectKey } from '#infra/keys/key-store.ts';
import { visitorKey } from '#infra/keys/visitor-keys.ts';
import { canonicalJson } from './canonical-json.ts';
import type { NewEvent, RecordedEvent } from './event-log.ts';
import type { Actor, Context, Meta, Recorded, Sealed } from './recorded.ts';
import { isSealed, openValue, type Place, sealValue } from './sealing.ts';

export { SealBroken } from './sealing.ts';

/** Thrown for an event whose type no schema declares, or whose version is newer than the schema. */
export class UnknownEventType extends Error {
  override readonly name = 'UnknownEventType';
}

export interface DecodeOptions {
  /** Open `meta.actor.ip` too. Off by default: hardly any reader wants it, and it costs a decryption an event. */
  readonly openIp?: boolean;
}

export interface Codec {
  /**
   * Seals and serializes one event. Plain (not a promise) whenever the key it needs is at hand, which is always so for
   * an event without personal fields. `meta` comes from `encodeMeta`.
   * @throws SubjectErased when the person's own late command would write about them after their key was destroyed;
   *   events by others about an erased person are written with `erased` in place of the personal values.
   * @throws UnknownEventType
   */
  encode(
    event: DomainEvent,
    id: string,
    stream: string,
    context: Context,
    meta: string,
  ): NewEvent | Promise<NewEvent>;

  /** The canonical meta text of a command, made once and shared by all its events. Seals the address with the month's visitor key, once a request. */
  encodeMeta(context: Context): string | Promise<string>;

  /**
   * Opens a run of events; their keys are fetched in one query. A value whose key is gone is `erased`.
   * @throws UnknownEventType, SealBroken
   */
  decode<Event extends DomainEvent = DomainEvent>(
    records: readonly RecordedEvent[],
    options?: DecodeOptions,
  ): Promise<readonly Recorded<Event>[]>;
}

type Data = Record<string, unknown>;
type Schema = EventSchema<object>;

/** Addresses are bound to their correlation: one request's commands share one sealed text. */
const addressPlace = ({ correlationId }: Context): Place => ({
  stream: correlationId,
  type: 'meta',
  field: 'actor.ip',
});

const writeMeta = (
  { actor, at, causationId, commandId, correlationId }: Context,
  ip: Actor['ip'],
): string => {
  let text = `{"actor":{`;
  if (actor.id !== undefined) text += `"id":${JSON.stringify(actor.id)},`;
  if (ip !== undefined) text += `"ip":${canonicalJson(ip)},`;
  text += `"kind":"${actor.kind}"`;
  if (actor.role !== undefined) text += `,"role":${JSON.stringify(actor.role)}`;
  text += `},"at":${JSON.stringify(at)}`;
  if (causationId !== undefined) text += `,"causationId":${JSON.stringify(causationId)}`;
  return `${text},"commandId":${JSON.stringify(commandId)},"correlationId":${JSON.stringify(correlationId)}}`;
};

/** An erased person's own command is too late; what others record about them goes on, without what was personal. */
const isOwnCommand = ({ actor }: Context, subject: string): boolean =>
  actor.kind === 'visitor' || (actor.kind === 'user' && (actor.id === undefined || actor.id === subject));

/** A codec for the events that `schemas` declares (all of them: `allEvents`). */
export const createCodec = (keys: KeyStore, schemas: EventSchemas): Codec => {
  const schemaOf = (type: string): Schema => {
    const schema: Schema | undefined = Object.hasOwn(schemas, type) ? schemas[type] : undefined;
    if (!schema) throw new UnknownEventType(`No schema declares events of type ${type}`);
    return schema;
  };

  const sealData = (schema: Schema, event: DomainEvent, stream: string, key: SubjectKey | 'gone'): Data => {
    const data: Data = { ...event.data };
    for (const field of schema.personal) {
      const value = data[field];
      if (value === undefined || isErased(value)) continue;
      data[field] = key === 'gone' ? erased : sealValue(key, { stream, type: event.type, field }, value);
    }
    return data;
  };

  const encode: Codec['encode'] = (event, id, stream, context, meta) => {
    const { type } = event;
    const schema = schemaOf(type);
    const { version } = schema;
    if (schema.personal.length === 0) return { id, type, version, data: canonicalJson(event.data), meta };

    const subject = schema.subject?.(event.data);
    if (subject === undefined) throw new TypeError(`${type} has personal fields but no subject`);
    const withKey = (key: SubjectKey | 'gone'): NewEvent => ({
      id,
      type,
      version,
      data: canonicalJson(sealData(schema, event, stream, key)),
      meta,
    });
    const withoutKey = (error: unknown): NewEvent => {
      if (error instanceof SubjectErased && !isOwnCommand(context, subject)) return withKey('gone');
      throw error;
    };
    let key: SubjectKey | Promise<SubjectKey>;
    try {
      key = keys.sealing(subject);
    } catch (error) {
      return withoutKey(error);
    }
    return 'then' in key ? key.then(withKey, withoutKey) : withKey(key);
  };

  /** By the actor object that a request's commands have in common: a purchase would seal the same address six times. */
  const addresses = new WeakMap<Actor, { readonly correlationId: string; readonly sealed: Sealed }>();

  const encodeMeta: Codec['encodeMeta'] = (context) => {
    const { actor, correlationId } = context;
    const { ip } = actor;
    if (typeof ip !== 'string') return writeMeta(context, ip);
    const known = addresses.get(actor);
    if (known?.correlationId === correlationId) return writeMeta(context, known.sealed);
    const withKey = (key: SubjectKey): string => {
      const sealed = sealValue(key, addressPlace(context), ip);
      addresses.set(actor, { correlationId, sealed });
      return writeMeta(context, sealed);
    };
    const withoutKey = (error: unknown): string => {
      if (error instanceof SubjectErased) return writeMeta(context, erased);
      throw error;
    };
    let key: SubjectKey | Promise<SubjectKey>;
    try {
      key = keys.sealing(visitorKey(context.at));
    } catch (error) {
      return withoutKey(error);
    }
    return 'then' in key ? key.then(withKey, withoutKey) : withKey(key);
  };

  const upcast = (schema: Schema, type: string, version: number, data: object): object => {
    let lifted = data;
    for (let from = version; from < schema.version; from++) {
      const lift = schema.upcast?.[from];
      if (!lift) throw new UnknownEventType(`${type} has no way from version ${from} to ${from + 1}`);
      lifted = lift(lifted as never);
    }
    return lifted;
  };

  return {
    encode,
    encodeMeta,
    async decode<Event extends DomainEvent>(records: readonly RecordedEvent[], options: DecodeOptions = {}) {
      const opened: Recorded<Event>[] = [];
      /** What waits for its key: where the sealed value is, and where the plain one goes. */
      const sealed: { value: Sealed; place: Place; put(value: unknown): void }[] = [];
      const lifts: (() => void)[] = [];
      let lastText = '';
      let lastMeta: Meta | undefined;
      for (const record of records) {
        const { id, type, version, stream, revision, position, recordedAt } = record;
        const schema = schemaOf(type);
        if (version > schema.version)
          throw new UnknownEventType(`${type} version ${version} was written by a newer program`);
        const data = JSON.parse(record.data) as Data;
        if (schema.personal.length > 0 || version < schema.version) {
          for (const field of Object.keys(data)) {
            const value = data[field];
            if (!isSealed(value)) continue;
            const put = (plain: unknown): void => {
              data[field] = plain;
            };
            sealed.push({ value, place: { stream, type, field }, put });
          }
        }
        // A command's events share one text.
        if (lastMeta === undefined || record.meta !== lastText) {
          lastText = record.meta;
          const meta = JSON.parse(record.meta) as Meta & { actor: { ip?: Actor['ip'] } };
          lastMeta = meta;
          const { ip } = meta.actor;
          if (options.openIp && isSealed(ip)) {
            const put = (plain: unknown): void => {
              meta.actor.ip = plain as Actor['ip'];
            };
            sealed.push({ value: ip, place: addressPlace(meta), put });
          }
        }
        const event = { type, data } as DomainEvent as Event;
        const recorded = { event, id, stream, revision, position, recordedAt, meta: lastMeta };
        if (version < schema.version)
          lifts.push(() => {
            recorded.event = { type, data: upcast(schema, type, version, data) } as DomainEvent as Event;
          });
        opened.push(recorded);
      }
      if (sealed.length > 0) await openAll(sealed);
      for (const lift of lifts) lift();
      return opened;
    },
  };

  async function openAll(sealed: readonly { value: Sealed; place: Place; put(value: unknown): void }[]) {
    const at = new Map<string, SubjectKey | 'gone'>();
    const missing = new Map<string, KeyRef>();
    const nameOf = (value: Sealed): string => `${value.key} ${value.of}`;
    for (const { value } of sealed) {
      const name = nameOf(value);
      if (at.has(name) || missing.has(name)) continue;
      const ref = { subject: value.of, version: value.key };
      const key = keys.opening(ref);
      if (key) at.set(name, key);
      else missing.set(name, ref);
    }
    if (missing.size > 0) {
      const names = [...missing.keys()];
      const found = await keys.fetch([...missing.values()]);
      for (const [i, name] of names.entries()) at.set(name, found[i] ?? 'gone');
    }
    for (const { value, place, put } of sealed) {
      const key = at.get(nameOf(value)) ?? 'gone';
      put(key === 'gone' ? erased : openValue(key, place, value));
    }
  }
};
