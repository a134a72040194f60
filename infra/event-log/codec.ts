import type { DomainEvent } from '#domain/kernel/decider.ts';
import type { EventSchema, EventSchemas } from '#domain/kernel/event.ts';
import { erased, isErased, masked } from '#domain/kernel/personal.ts';
import { open, seal } from '#infra/keys/cipher.ts';
import { type KeyRef, type KeyStore, SubjectErased, type SubjectKey } from '#infra/keys/key-store.ts';
import { visitorKey } from '#infra/keys/visitor-keys.ts';
import { canonicalJson } from './canonical-json.ts';
import type { NewEvent, RecordedEvent } from './event-log.ts';
import type { Actor, Context, Recorded, Sealed } from './recorded.ts';

export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

/** Associated data: a sealed value opens only in its own place. */
export interface Place {
  readonly stream: string;
  readonly type: string;
  readonly field: string;
}

export const addressPlace = (correlationId: string): Place => ({
  stream: correlationId,
  type: 'meta',
  field: 'actor.ip',
});

const STEP = 64;
const LARGE = 1_024;

/** Hides the text's length: to a multiple of 64 bytes up to 1 kB, then of 1 kB. */
const paddedLength = (length: number): number => {
  const step = length <= LARGE ? STEP : LARGE;
  return Math.ceil(length / step) * step;
};

const bind = (key: SubjectKey, { stream, type, field }: Place): string =>
  JSON.stringify([key.subject, stream, type, field, key.version]);

/** Padded with zero bytes, which JSON never contains. */
export const sealValue = (key: SubjectKey, place: Place, value: unknown): Sealed => {
  const text = canonicalJson(value);
  const padded = Buffer.alloc(paddedLength(Buffer.byteLength(text)));
  padded.write(text);
  return {
    $sealed: seal(key.key, bind(key, place), padded).toString('base64url'),
    key: key.version,
    of: key.subject,
  };
};

export const openValue = (key: SubjectKey, place: Place, sealed: Sealed): unknown => {
  const padded = open(key.key, bind(key, place), Buffer.from(sealed.$sealed, 'base64url'));
  if (!padded) throw new SealBroken(`${place.field} of ${place.type} in ${place.stream} does not open`);
  const end = padded.indexOf(0);
  return JSON.parse(padded.toString('utf8', 0, end === -1 ? padded.length : end));
};

export const isSealed = (value: unknown): value is Sealed =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Sealed>).$sealed === 'string';

export class UnknownEventType extends Error {
  override readonly name: string = 'UnknownEventType';
}

export class WrittenByNewer extends UnknownEventType {
  override readonly name = 'WrittenByNewer';
}

export const isUnreadable = (error: unknown): boolean =>
  error instanceof UnknownEventType ||
  error instanceof SealBroken ||
  error instanceof SyntaxError ||
  error instanceof TypeError ||
  error instanceof RangeError;

export interface DecodeOptions {
  /** Also open `meta.actor.ip`, at the cost of a decryption per event. */
  readonly openIp?: boolean;
  /** Return `masked` for personal values, and fetch no keys. */
  readonly masked?: boolean;
}

export interface Codec {
  /**
   * A promise only if a key has to be fetched. Writes `erased` for personal values whose key was destroyed.
   * @throws SubjectErased if that is so and the command is the person's own
   * @throws UnknownEventType
   */
  encode(
    event: DomainEvent,
    id: string,
    stream: string,
    context: Context,
    meta: string,
  ): NewEvent | Promise<NewEvent>;

  /** The request's address is sealed with the account's key, or the month's for a visitor. */
  encodeMeta(context: Context): string | Promise<string>;

  /**
   * Fetches missing keys in one query.
   * @throws UnknownEventType, WrittenByNewer, SealBroken
   */
  decode<Event extends DomainEvent = DomainEvent>(
    records: readonly RecordedEvent[],
    options?: DecodeOptions,
  ): Promise<readonly Recorded<Event>[]>;
}

interface Opening {
  readonly value: Sealed;
  readonly place: Place;
  put(plain: unknown): void;
}

type Data = Record<string, unknown>;
type Schema = EventSchema<object>;

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

const addressSubject = ({ actor, at }: Context): string =>
  actor.kind === 'user' && actor.id !== undefined ? actor.id : visitorKey(at);

/** A person's own command is refused after their erasure; others go on without the personal values. */
const isOwnCommand = ({ actor }: Context, subject: string): boolean =>
  actor.kind === 'visitor' || (actor.kind === 'user' && (actor.id === undefined || actor.id === subject));

export const createCodec = (keys: KeyStore, schemas: EventSchemas): Codec => {
  const schemaOf = (type: string): Schema => {
    const schema: Schema | undefined = Object.hasOwn(schemas, type) ? schemas[type] : undefined;
    if (!schema) throw new UnknownEventType(`No schema declares events of type ${type}`);
    return schema;
  };

  const sealData = (schema: Schema, event: DomainEvent, stream: string, key: SubjectKey | 'gone'): Data => {
    const data: Data = { ...event.data };
    for (const field of schema.sealed) {
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
    if (schema.sealed.length === 0) return { id, type, version, data: canonicalJson(event.data), meta };

    const subject = schema.person?.(event.data);
    if (subject === undefined) throw new TypeError(`${type} has sealed fields but names no person`);
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

  /** By actor, which all commands of a request share: a purchase would otherwise seal its address six times. */
  const addresses = new WeakMap<Actor, { readonly correlationId: string; readonly sealed: Sealed }>();

  const encodeMeta: Codec['encodeMeta'] = (context) => {
    const { actor, correlationId } = context;
    const { ip } = actor;
    if (typeof ip !== 'string') return writeMeta(context, ip);
    const known = addresses.get(actor);
    if (known?.correlationId === correlationId) return writeMeta(context, known.sealed);
    const withKey = (key: SubjectKey): string => {
      const sealed = sealValue(key, addressPlace(correlationId), ip);
      addresses.set(actor, { correlationId, sealed });
      return writeMeta(context, sealed);
    };
    const withoutKey = (error: unknown): string => {
      if (error instanceof SubjectErased) return writeMeta(context, erased);
      throw error;
    };
    let key: SubjectKey | Promise<SubjectKey>;
    try {
      key = keys.sealing(addressSubject(context));
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
      const sealed: Opening[] = [];
      const lifts: (() => void)[] = [];
      let lastText = '';
      let lastMeta: Context | undefined;
      for (const record of records) {
        const { id, type, version, stream, revision, position, recordedAt } = record;
        const schema = schemaOf(type);
        if (version > schema.version)
          throw new WrittenByNewer(`${type} version ${version} was written by a newer program`);
        const data = JSON.parse(record.data) as Data;
        if (schema.sealed.length > 0 || version < schema.version) {
          for (const field of Object.keys(data)) {
            const value = data[field];
            if (!isSealed(value)) continue;
            if (options.masked) {
              data[field] = masked;
              continue;
            }
            const put = (plain: unknown): void => {
              data[field] = plain;
            };
            sealed.push({ value, place: { stream, type, field }, put });
          }
        }
        if (lastMeta === undefined || record.meta !== lastText) {
          lastText = record.meta;
          const meta = JSON.parse(record.meta) as Context & { actor: { ip?: Actor['ip'] } };
          lastMeta = meta;
          const { ip } = meta.actor;
          if (options.openIp && isSealed(ip)) {
            const put = (plain: unknown): void => {
              meta.actor.ip = plain as Actor['ip'];
            };
            sealed.push({ value: ip, place: addressPlace(meta.correlationId), put });
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

  async function openAll(sealed: readonly Opening[]) {
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
