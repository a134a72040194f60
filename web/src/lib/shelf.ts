/** What the browser keeps in a database, beside what `storage.ts` keeps: for pages that need much of it, and not on the first page. */
import { clear, createStore, delMany, entries, set } from 'idb-keyval';

/** Values by keys, which all tabs share. What the browser doesn't take is kept in memory. */
export interface Shelf {
  entries(): Promise<readonly (readonly [key: string, value: unknown])[]>;
  set(key: string, value: unknown): Promise<void>;
  remove(keys: readonly string[]): Promise<void>;
  clear(): Promise<void>;
  /** Whether all is kept when this tab is closed. False once the browser has refused something that is there still. */
  readonly isLasting: boolean;
}

/** Opens a database for values that are too many or too large for the storages. */
export const openShelf = (name: string): Shelf => {
  /** What the browser has refused: the value, or undefined for a removal. */
  const refused = new Map<string, unknown>();
  let store: ReturnType<typeof createStore> | undefined;
  /** Does something in the database; undefined where the browser refuses. */
  const tried = async <Result>(work: (opened: ReturnType<typeof createStore>) => Promise<Result>) => {
    try {
      store ??= createStore(name, 'kept');
      return { result: await work(store) };
    } catch {
      return undefined;
    }
  };
  return {
    async entries() {
      const kept = (await tried((opened) => entries<string, unknown>(opened)))?.result ?? [];
      const all = new Map([...kept, ...refused]);
      return [...all].filter(([, value]) => value !== undefined);
    },
    async set(key, value) {
      if (await tried((opened) => set(key, value, opened))) refused.delete(key);
      else refused.set(key, value);
    },
    async remove(keys) {
      const removed = await tried((opened) => delMany([...keys], opened));
      for (const key of keys)
        if (removed) refused.delete(key);
        else refused.set(key, undefined);
    },
    async clear() {
      refused.clear();
      await tried((opened) => clear(opened));
    },
    get isLasting() {
      return [...refused.values()].every((value) => value === undefined);
    },
  };
};

/** Does a piece of work while no other tab does one of the same name. Without locks each tab goes by itself. */
export const alone = <Result>(name: string, work: () => Promise<Result>): Promise<Result> =>
  globalThis.navigator?.locks ? navigator.locks.request(name, work) : work();
