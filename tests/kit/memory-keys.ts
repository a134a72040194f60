import { createSecretKey, randomBytes } from 'node:crypto';
import { type KeyStore, SubjectErased, type SubjectKey } from '#infra/keys/key-store.ts';

/** Keys in memory, for specs. Everything is at hand at once. */
export const createMemoryKeyStore = (): KeyStore => {
  const keys = new Map<string, SubjectKey[]>();
  const madeAt = new Map<string, number>();
  const gone = new Set<string>();
  const hearers: ((subject: string) => void)[] = [];

  const versionsOf = (subject: string): SubjectKey[] => {
    if (gone.has(subject)) throw new SubjectErased(subject);
    const versions = keys.get(subject) ?? [];
    keys.set(subject, versions);
    return versions;
  };
  const add = (subject: string, versions: SubjectKey[]): SubjectKey => {
    if (versions.length === 0) madeAt.set(subject, Date.now());
    const made = { subject, version: versions.length + 1, key: createSecretKey(randomBytes(32)) };
    versions.push(made);
    return made;
  };
  const opening: KeyStore['opening'] = ({ subject, version }) => keys.get(subject)?.[version - 1] ?? 'gone';

  return {
    sealing(subject) {
      const versions = versionsOf(subject);
      return versions.at(-1) ?? add(subject, versions);
    },
    opening,
    fetch: async (refs) => refs.map((ref) => opening(ref) ?? 'gone'),
    rotate: async (subject) => add(subject, versionsOf(subject)),
    async destroy(subject) {
      keys.delete(subject);
      gone.add(subject);
      for (const hear of hearers) hear(subject);
    },
    onDestroyed: (hear) => void hearers.push(hear),
    list: async (prefix, madeBefore) =>
      [...keys.keys()].filter(
        (subject) =>
          subject.startsWith(prefix) && (!madeBefore || (madeAt.get(subject) ?? 0) < madeBefore.getTime()),
      ),
    close: async () => {},
  };
};
