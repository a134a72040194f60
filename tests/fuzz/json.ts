/** JSON as no serialiser writes it: numbers out of range, keys that come twice, brackets that never close. */

/** Stands in a body to the letter. */
export class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** An object whose keys are written as they stand here: twice, or with names that a literal would swallow. */
export class Members {
  readonly entries: readonly (readonly [name: string, value: unknown])[];
  constructor(entries: readonly (readonly [string, unknown])[]) {
    this.entries = entries;
  }
}

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The entries of an object or a list, as they are written. */
export const entriesOf = (value: object): readonly (readonly [string, unknown])[] =>
  value instanceof Members ? value.entries : Object.entries(value);

/** Writes a value with whatever `Raw` and `Members` it holds. */
export const writeJson = (value: unknown): string => {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
  if (isBranch(value)) {
    const members = entriesOf(value).filter(([, inner]) => inner !== undefined);
    return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${writeJson(inner)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
};

/** Where a value sits in another: the names on the way to it. */
export type Path = readonly string[];

/** Every place in a value, its own root first. */
export const placesIn = (value: unknown, at: Path = []): readonly Path[] => {
  if (!isBranch(value) || value instanceof Raw) return [at];
  return [at, ...entriesOf(value).flatMap(([name, inner]) => placesIn(inner, [...at, name]))];
};

export const valueAt = (value: unknown, [name, ...rest]: Path): unknown => {
  if (name === undefined) return value;
  return isBranch(value) ? valueAt(entriesOf(value).find(([key]) => key === name)?.[1], rest) : undefined;
};

/** A copy with another value at a place; `undefined` leaves it out. */
export const withValue = (value: unknown, [name, ...rest]: Path, put: unknown): unknown => {
  if (name === undefined) return put;
  if (!isBranch(value)) return value;
  const entries = entriesOf(value).map(
    ([key, inner]) => [key, key === name ? withValue(inner, rest, put) : inner] as const,
  );
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : new Members(entries);
};
