import { open, seal } from '#infra/keys/cipher.ts';
import type { SubjectKey } from '#infra/keys/key-store.ts';
import { canonicalJson } from './canonical-json.ts';
import type { Sealed } from './recorded.ts';

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
