/** `navigator.onLine` can be wrong for a site on the same machine, so any answer clears it. */
let since: symbol | undefined = globalThis.navigator?.onLine === false ? Symbol() : undefined;
const listeners = new Set<() => void>();

const set = (next: symbol | undefined): void => {
  if (since === next) return;
  since = next;
  for (const listener of listeners) listener();
};
globalThis.addEventListener?.('offline', () => set(Symbol()));
globalThis.addEventListener?.('online', () => set(undefined));

/** Undefined while online. Each offline period has its own symbol. */
export const offlineSpell = (): symbol | undefined => since;

export const heardAnswer = (): void => set(undefined);

export const onConnection = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
