/** IndexedDB storage, beside `storage.ts`, for pages that need much data; not part of the first page. */
import { clear, createStore, delMany, entries, set } from 'idb-keyval';

/** Shared by all tabs. Values that the browser refuses are kept in memory. */
export interface OfflineStore {
  entries(): Promise<readonly (readonly [key: string, value: unknown])[]>;
  set(key: string, value: unknown): Promise<void>;
  remove(keys: readonly string[]): Promise<void>;
  clear(): Promise<void>;
  /** False while a refused value exists only in memory and would be lost with the tab. */
  readonly isLasting: boolean;
}

export const openOfflineStore = (name: string): OfflineStore => {
  /** Refused changes: the value, or undefined for a removal. */
  const refused = new Map<string, unknown>();
  let store: ReturnType<typeof createStore> | undefined;
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

/** Web Lock shared by all tabs; without lock support, tabs run independently. */
export const alone = <Result>(name: string, work: () => Promise<Result>): Promise<Result> =>
  globalThis.navigator?.locks ? navigator.locks.request(name, work) : work();
