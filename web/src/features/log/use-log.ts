import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type AskedFilter, auditCalls, type LogEntry, type LogNews } from '#domain/contracts/audit.ts';
import { addressOf, list } from '#web/lib/api/client.ts';
import { keyOf } from '#web/lib/api/key-of.ts';
import { queryClient } from '#web/lib/api/query-client.ts';
import { refetch } from '#web/lib/api/refetch.ts';
import { followSocket } from '#web/lib/api/socket.ts';
import { useLastingFailure } from '#web/lib/api/use-answer.ts';

export type LogQuery = { readonly [Name in keyof AskedFilter]?: string };

/** Loaded pages of the log, newest first. Never refetched automatically, because each query is itself audited. */
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

export const refreshLog = (query: LogQuery) =>
  queryClient.resetQueries({ queryKey: keyOf(auditCalls.list, { query }) });

const MOST_KEPT = 500;

export interface Tail {
  readonly entries: readonly LogEntry[];
  readonly skipped: number;
  readonly connected: boolean;
}

const NOTHING: Tail = { entries: [], skipped: 0, connected: false };

const cameIn = ({ entries, skipped }: Tail): number => entries.length + skipped;

export interface ShownTail extends Tail {
  readonly waiting: number | undefined;
  pause(paused: boolean): void;
}

/** Reconnects indefinitely; events during a gap are not in the tail. */
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
      // The refetch answers 401, which leads to the sign-in page.
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
