import { useEffect, useState } from 'react';
import { type AdminNews, overviewCalls } from '#domain/contracts/admin-overview.ts';
import { catalogueCalls } from '#domain/contracts/catalogue.ts';
import { keyOf } from '#web/lib/api/key-of.ts';
import { sawPosition } from '#web/lib/api/position.ts';
import { refetch } from '#web/lib/api/refetch.ts';
import { followSocket } from '#web/lib/api/socket.ts';

/** Milliseconds. */
const PATIENCE = 5_000;

/**
 * Refetches the admin panel's data after changes; reconnects indefinitely.
 * @returns whether the data may be stale
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
        // The refetch answers 401, which leads to the sign-in page.
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
