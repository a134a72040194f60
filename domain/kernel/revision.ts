/** An answer carries a revision of its shown fields. A change based on it fails if it would overwrite a field changed since. */

export type Shown = Readonly<Record<string, unknown>>;

/** 32-bit FNV-1a of the JSON; a missing value counts as null. */
export const hashOf = (value: unknown): string => {
  const text = JSON.stringify(value ?? null);
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
};

/** `name:hash` for each field. */
export const revisionOf = (shown: Shown): string =>
  Object.entries(shown)
    .map(([name, value]) => `${name}:${hashOf(value)}`)
    .join(',');

export const revised = <Id, S extends object>(id: Id, shown: S) => ({
  id,
  ...shown,
  revision: revisionOf(shown as unknown as Shown),
});

const hashesIn = (revision: string): ReadonlyMap<string, string> =>
  new Map(revision.split(',').map((field) => field.split(':', 2) as [string, string]));

/** A field missing from the first revision counts as unchanged. */
export const changedBetween = (before: string, after: string): readonly string[] => {
  const now = hashesIn(after);
  return [...hashesIn(before)].filter(([name, hash]) => now.get(name) !== hash).map(([name]) => name);
};

/** An identical change overwrites nothing. */
export const overwritten = (revision: string, present: Shown, next: Shown): readonly string[] => {
  const since = hashesIn(revision);
  return [...new Set([...Object.keys(present), ...Object.keys(next)])].filter((name) => {
    const known = since.get(name);
    const now = hashOf(present[name]);
    return known !== undefined && known !== now && now !== hashOf(next[name]);
  });
};
