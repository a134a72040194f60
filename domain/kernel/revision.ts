/**
 * Keeps what two people edit at once. A thing that is edited says what its form shows (`shown`); each answer about it carries the
 * revision of that; and a change that was made with a revision is refused if it would overwrite a field that has changed since.
 */

/** The fields that a form shows, by name, as JSON has them. */
export type Shown = Readonly<Record<string, unknown>>;

/** FNV-1a with 32 bits, of a value's JSON. A missing value counts as null. */
export const hashOf = (value: unknown): string => {
  const text = JSON.stringify(value ?? null);
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
};

/** The revision of what a form shows: `name:hash` of each field. Whatever else happens to the thing leaves it as it is. */
export const revisionOf = (shown: Shown): string =>
  Object.entries(shown)
    .map(([name, value]) => `${name}:${hashOf(value)}`)
    .join(',');

/** A thing that is edited, as its answer has it: its id, what its form shows, and the revision of that. */
export const revised = <Id, S extends object>(id: Id, shown: S) => ({
  id,
  ...shown,
  revision: revisionOf(shown as unknown as Shown),
});

const hashesIn = (revision: string): ReadonlyMap<string, string> =>
  new Map(revision.split(',').map((field) => field.split(':', 2) as [string, string]));

/** The names of the fields that differ between two revisions. One that the first doesn't have counts as the same. */
export const changedBetween = (before: string, after: string): readonly string[] => {
  const now = hashesIn(after);
  return [...hashesIn(before)].filter(([name, hash]) => now.get(name) !== hash).map(([name]) => name);
};

/**
 * The fields that a change would overwrite although they have changed since a revision: neither what the form showed nor what is there
 * now would be left. A change that somebody else has made already overwrites nothing.
 */
export const overwritten = (revision: string, present: Shown, next: Shown): readonly string[] => {
  const since = hashesIn(revision);
  return [...new Set([...Object.keys(present), ...Object.keys(next)])].filter((name) => {
    const known = since.get(name);
    const now = hashOf(present[name]);
    return known !== undefined && known !== now && now !== hashOf(next[name]);
  });
};
