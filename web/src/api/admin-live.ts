import { useEffect, useState } from 'react';
import { type AdminNews, overviewCalls, SESSION_ENDED } from '#domain/contracts/admin-overview.ts';
import { catalogueCalls } from '#domain/contracts/catalogue.ts';
import { keyOf } from './answers.ts';
import { waitBefore } from './live.ts';
import { sawPosition } from './position.ts';
import { refetch } from './refetch.ts';

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
    let socket: WebSocket | undefined;
    let attempt = 0;
    let again: ReturnType<typeof setTimeout> | undefined;
    let patience: ReturnType<typeof setTimeout> | undefined;

    const connect = (): void => {
      const opened = new WebSocket(overviewCalls.live.path);
      socket = opened;
      opened.onmessage = ({ data }: MessageEvent<string>) => {
        attempt = 0;
        clearTimeout(patience);
        patience = undefined;
        setOld(false);
        const { position }: AdminNews = JSON.parse(data);
        sawPosition(position);
        refetch(['api', 'admin']);
        refetch(keyOf(catalogueCalls.categories));
      };
      opened.onclose = ({ code }) => {
        if (socket !== opened) return;
        // The panel asks again, hears that nobody is signed in, and leads to the sign-in.
        if (code === SESSION_ENDED) {
          refetch(['api', 'admin']);
          return;
        }
        patience ??= setTimeout(() => setOld(true), PATIENCE);
        again = setTimeout(connect, waitBefore(attempt));
        attempt += 1;
      };
    };
    const disconnect = (): void => {
      const closing = socket;
      socket = undefined;
      clearTimeout(again);
      clearTimeout(patience);
      patience = undefined;
      closing?.close();
    };
    const look = (): void => {
      disconnect();
      attempt = 0;
      if (!document.hidden) connect();
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
