import { useEffect, useSyncExternalStore } from 'react';
import { onConnection } from '#web/lib/api/connection.ts';
import { loggedOut } from '#web/lib/api/logged-out.ts';
import { onFewer } from './fewer-in.ts';
import { type OfflineState, offlineState, onOfflineState, synchronize } from './offline-door.ts';

/** Milliseconds between refreshes of the list: online, and offline. */
const EVERY = 60_000;
const AGAIN = 5_000;

export const useOffline = (accountId: string, eventId: number | undefined): OfflineState => {
  const state = useSyncExternalStore(onOfflineState, offlineState);
  const { isOffline } = state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a gate that has gone offline tries again at once, and then more often
  useEffect(() => {
    let over = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const round = async () => {
      const problem = await synchronize({ accountId, eventId });
      if (over || loggedOut(problem)) return;
      clearTimeout(timer);
      timer = setTimeout(round, problem ? AGAIN : EVERY);
    };
    round();
    const forget = onConnection(round);
    const deaf = onFewer(round);
    return () => {
      over = true;
      clearTimeout(timer);
      forget();
      deaf();
    };
  }, [accountId, eventId, isOffline]);
  // Until the device has checked, the list is that of the previous gate.
  return state.eventId === eventId ? state : { ...state, listedAt: undefined };
};
