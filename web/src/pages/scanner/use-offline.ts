import { useEffect, useSyncExternalStore } from 'react';
import { onConnection } from '../../api/connection.ts';
import { loggedOut } from '../../kit/logged-out.ts';
import { onFewer } from './fewer-in.ts';
import { type OfflineState, offlineState, onOfflineState, synchronize } from './offline-door.ts';

/** How often the list is fetched anew, and without a network how often that is tried. Milliseconds. */
const EVERY = 60_000;
const AGAIN = 5_000;

/** Keeps the list of tickets on the device fresh and sends the scans that wait, for as long as the scanner is open. */
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
  // Until the device has looked, its list is another gate's.
  return state.eventId === eventId ? state : { ...state, listedAt: undefined };
};
