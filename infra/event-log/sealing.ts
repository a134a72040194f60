/** One personal value, sealed for the log and opened again. */
import { open, seal } from '#infra/keys/cipher.ts';
import type { SubjectKey } from '#infra/keys/key-store.ts';
import { canonicalJson } from './canonical-json.ts';
import type { Sealed } from './recorded.ts';

/** Thrown when a sealed value doesn't open with its own key: the bytes were changed, or moved from another event. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

/** Where a value stands. It opens nowhere else. */
export interface Place {
  readonly stream: string;
  readonly type: string;
  readonly field: string;
}

const STEP = 64;
const LARGE = 1_024;

/** Lengths say much about a name, so texts are padded: to multiples of 64 bytes up to 1 kB, of 1 kB beyond. */
const paddedLength = (length: number): number => {
  const step = length <= LARGE ? STEP : LARGE;
  return Math.ceil(length / step) * step;
};

const bind = (key: SubjectKey, { stream, type, field }: Place): string =>
  JSON.stringify([key.subject, stream, type, field, key.version]);

/** Seals a value. JSON ends where padding (zero bytes) starts, so no length is stored. */
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

/** Opens a value. @throws SealBroken */
export const openValue = (key: SubjectKey, place: Place, sealed: Sealed): unknown => {
  const padded = open(key.key, bind(key, place), Buffer.from(sealed.$sealed, 'base64url'));
  if (!padded) throw new SealBroken(`${place.field} of ${place.type} in ${place.stream} does not open`);
  const end = padded.indexOf(0);
  return JSON.parse(padded.toString('utf8', 0, end === -1 ? padded.length : end));
};

/** Whether a value is a sealed one, as it stands in the log. */
export const isSealed = (value: unknown): value is Sealed =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Sealed>).$sealed === 'string';
