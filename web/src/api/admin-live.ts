import { useEffect, useState } from 'react';
import { type AdminNews, overviewCalls } from '#domain/contracts/admin-overview.ts';
import { catalogueCalls } from '#domain/contracts/catalogue.ts';
import { keyOf } from './key-of.ts';
import { sawPosition } from './position.ts';
import { refetch } from './refetch.ts';
import { followSocket } from './socket.ts';

/** After so many milliseconds without a connection people are told. */
const PATIENCE = 5_000;

/**
 * Follows the site while the admin panel is open and its tab is visible: after a change, what the panel shows is fetched anew. Connects
 * again for as long as it takes.
 * @returns whether the connection has been gone for so long that what is shown may be old
 */
export const useAdminLive = (): boolean => {
  const [isOld, setOld] = useState(false);
  useEffect(() => {
    let unfollow = (): void => undefined;
    let patience: ReturnType<typeof setTimeout> | undefined;
    const stopWaiting = (): void => {
      clearTimeout(patience);
      patience = undefined;
    };
    const follow = (): (() => void) =>
      followSocket<AdminNews>(overviewCalls.live.path, {
        tell: ({ position }) => {
          stopWaiting();
          setOld(false);
          sawPosition(position);
          refetch(['api', 'admin']);
          refetch(keyOf(catalogueCalls.categories));
        },
        lost: () => {
          patience ??= setTimeout(() => setOld(true), PATIENCE);
        },
        // The panel asks again, hears that nobody is signed in, and leads to the sign-in.
        ended: () => refetch(['api', 'admin']),
      });
    const disconnect = (): void => {
      unfollow();
      stopWaiting();
    };
    const look = (): void => {
      disconnect();
      unfollow = document.hidden ? () => undefined : follow();
    };

    document.addEventListener('visibilitychange', look);
    look();
    return () => {
      document.removeEventListener('visibilitychange', look);
      disconnect();
    };
  }, []);
  return isOld;
};
