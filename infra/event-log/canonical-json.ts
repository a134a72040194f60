/** Canonical JSON (RFC 8785), which event hashes are of. `undefined` properties are omitted. */

const quotedNames = new Map<string, string>();
const MOST_NAMES = 4_096;

/** At most 4,096. */
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

/** @throws TypeError for anything but plain data; also for `undefined` outside an object property */
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
