/** The event log for auditors. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type AskedFilter, auditCalls, type LogEntry, type LogNews } from '#domain/contracts/audit.ts';
import { useLastingFailure } from './answers.ts';
import { addressOf, list } from './client.ts';
import { keyOf } from './key-of.ts';
import { queryClient } from './queries.ts';
import { refetch } from './refetch.ts';
import { followSocket } from './socket.ts';

/** What the log is narrowed to; a blank one filters nothing. */
export type LogQuery = { readonly [Name in keyof AskedFilter]?: string };

/** The pages of the log that were opened so far, the newest first. Each new filter is recorded, so nothing is fetched again by itself. */
export const useLog = (query: LogQuery) => {
  const queryKey = keyOf(auditCalls.list, { query });
  return useLastingFailure(
    queryKey,
    useInfiniteQuery({
      queryKey,
      queryFn: ({ signal, pageParam }) =>
        list(auditCalls.list, { signal, query: { ...query, ...(pageParam && { cursor: pageParam }) } }),
      initialPageParam: '',
      getNextPageParam: ({ cursor }) => cursor,
    }),
  );
};

/** Asks for the log anew. */
export const refreshLog = (query: LogQuery) =>
  queryClient.resetQueries({ queryKey: keyOf(auditCalls.list, { query }) });

/** As many new events as are kept; older ones are in the list that is asked for anew. */
const MOST_KEPT = 500;

/** What the live tail has brought since it was begun, the newest first. */
export interface Tail {
  readonly entries: readonly LogEntry[];
  /** How many more there were than are kept. */
  readonly skipped: number;
  readonly connected: boolean;
}

const NOTHING: Tail = { entries: [], skipped: 0, connected: false };

const cameIn = ({ entries, skipped }: Tail): number => entries.length + skipped;

/** A tail as it is shown: as it was while it is paused. */
export interface ShownTail extends Tail {
  /** How many came since it was paused; undefined while it runs. */
  readonly waiting: number | undefined;
  pause(paused: boolean): void;
}

/** Follows the log while `follows`. Connects again for as long as it takes; what comes in between is missing here. */
export const useLogTail = (query: LogQuery, follows: boolean): ShownTail => {
  const [tail, setTail] = useState(NOTHING);
  const [held, setHeld] = useState<Tail>();
  const address = addressOf(auditCalls.live, { query });
  const shown = useRef(address);
  useEffect(() => {
    if (shown.current !== address || !follows) {
      setTail(NOTHING);
      setHeld(undefined);
    }
    shown.current = address;
    if (!follows) return;
    return followSocket<LogNews>(address, {
      tell: ({ entries, skipped }) =>
        setTail((before) => {
          const all = [...[...entries].reverse(), ...before.entries];
          const more = Math.max(0, all.length - MOST_KEPT);
          return {
            entries: all.slice(0, MOST_KEPT),
            skipped: before.skipped + skipped + more,
            connected: true,
          };
        }),
      lost: () => setTail((before) => ({ ...before, connected: false })),
      // The page asks again, hears that nobody is signed in, and leads to the sign-in.
      ended: () => refetch(keyOf(auditCalls.list)),
    });
  }, [address, follows]);
  return {
    ...(held ?? tail),
    connected: tail.connected,
    waiting: held && cameIn(tail) - cameIn(held),
    pause: (paused) => setHeld(paused ? tail : undefined),
  };
};
