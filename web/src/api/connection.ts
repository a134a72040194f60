/**
 * Whether the browser says that there is no connection. It may be wrong: without any network it says so although a site on the same
 * machine answers. An answer that comes all the same ends it.
 */
let since: symbol | undefined = globalThis.navigator?.onLine === false ? Symbol() : undefined;
const listeners = new Set<() => void>();

const set = (next: symbol | undefined): void => {
  if (since === next) return;
  since = next;
  for (const listener of listeners) listener();
};
globalThis.addEventListener?.('offline', () => set(Symbol()));
globalThis.addEventListener?.('online', () => set(undefined));

/** Undefined while there is a connection. Each time without one has a value of its own. */
export const offlineSpell = (): symbol | undefined => since;

/** Has to be called when an answer has come. */
export const heardAnswer = (): void => set(undefined);

/** Calls a listener whenever the connection goes or comes back. Returns what ends that. */
export const onConnection = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
