/**
 * Canonical JSON: the same value always gives the same text, in whatever order its properties were set. Property names are
 * sorted by UTF-16 code units and numbers are written as ECMAScript writes them (RFC 8785). Properties that are `undefined`
 * are left out. Hashes of events are taken over this text.
 */

const quotedNames = new Map<string, string>();
const MOST_NAMES = 4_096;

/** A property name in quotes, with its colon. Names come from code, so there are few of them: up to 4,096 are kept. */
const quoteName = (name: string): string => {
  const known = quotedNames.get(name);
  if (known !== undefined) return known;
  const quoted = `${JSON.stringify(name)}:`;
  if (quotedNames.size < MOST_NAMES) quotedNames.set(name, quoted);
  return quoted;
};

const sortedNames = (value: object): string[] => {
  const names = Object.keys(value);
  for (let i = 1; i < names.length; i++) {
    if ((names[i - 1] as string) > (names[i] as string)) return names.sort();
  }
  return names;
};

const writeObject = (value: object): string => {
  let text = '';
  for (const name of sortedNames(value)) {
    const property = (value as Record<string, unknown>)[name];
    if (property === undefined) continue;
    text += `${text === '' ? '' : ','}${quoteName(name)}${canonicalJson(property)}`;
  }
  return `{${text}}`;
};

const writeArray = (value: readonly unknown[]): string => {
  let text = '';
  for (let i = 0; i < value.length; i++) text += `${i === 0 ? '' : ','}${canonicalJson(value[i])}`;
  return `[${text}]`;
};

/**
 * Writes plain data as canonical JSON: null, booleans, finite numbers, strings, arrays, objects, and objects with `toJSON`.
 * @throws TypeError for any other value; also for `undefined`, unless it is a property of an object
 */
export const canonicalJson = (value: unknown): string => {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`${value} has no canonical JSON`);
      return value === 0 ? '0' : `${value}`;
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object': {
      if (value === null) return 'null';
      if (Array.isArray(value)) return writeArray(value);
      if ('toJSON' in value && typeof value.toJSON === 'function') return canonicalJson(value.toJSON());
      return writeObject(value);
    }
    default:
      throw new TypeError(`A ${typeof value} has no canonical JSON`);
  }
};
