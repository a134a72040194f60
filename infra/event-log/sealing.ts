/** Encrypts single personal values for the log ("sealing"), and decrypts them. */
import { open, seal } from '#infra/keys/cipher.ts';
import type { SubjectKey } from '#infra/keys/key-store.ts';
import { canonicalJson } from './canonical-json.ts';
import type { Sealed } from './recorded.ts';

/** Thrown when a sealed value does not open with its own key: its bytes were changed, or copied from another event. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

/** Which field of which event a value belongs to. A sealed value opens only in its own place. */
export interface Place {
  readonly stream: string;
  readonly type: string;
  readonly field: string;
}

/** Where the address is sealed that a request came from: bound to its correlation, so that all its commands can share one sealed value. */
export const addressPlace = (correlationId: string): Place => ({
  stream: correlationId,
  type: 'meta',
  field: 'actor.ip',
});

const STEP = 64;
const LARGE = 1_024;

/** A length in bytes, rounded up so that it tells little about the text: to a multiple of 64 up to 1 kB, then of 1 kB. */
const paddedLength = (length: number): number => {
  const step = length <= LARGE ? STEP : LARGE;
  return Math.ceil(length / step) * step;
};

const bind = (key: SubjectKey, { stream, type, field }: Place): string =>
  JSON.stringify([key.subject, stream, type, field, key.version]);

/** Seals a value. The padding is zero bytes, which JSON never contains: no length need be stored. */
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

/** Opens a sealed value. @throws SealBroken */
export const openValue = (key: SubjectKey, place: Place, sealed: Sealed): unknown => {
  const padded = open(key.key, bind(key, place), Buffer.from(sealed.$sealed, 'base64url'));
  if (!padded) throw new SealBroken(`${place.field} of ${place.type} in ${place.stream} does not open`);
  const end = padded.indexOf(0);
  return JSON.parse(padded.toString('utf8', 0, end === -1 ? padded.length : end));
};

/** Whether a value read from the log is a sealed one. */
export const isSealed = (value: unknown): value is Sealed =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Sealed>).$sealed === 'string';
