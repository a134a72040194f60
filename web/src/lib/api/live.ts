import { catalogueCalls, type LiveMessage } from '#domain/contracts/catalogue.ts';
import { ticketCalls } from '#domain/contracts/tickets.ts';
import { eventKey } from './event.ts';
import { keyOf } from './key-of.ts';
import { sawPosition } from './position.ts';
import { queryClient } from './query-client.ts';
import { refetch } from './refetch.ts';

/** Attempts before giving up; each wait is twice the previous one (specification, section 4). */
const ATTEMPTS = 5;
const SHORTEST = 1_000;
const LONGEST = 30_000;

/**
 * Milliseconds.
 * @param attempt counted from 0
 */
export const waitBefore = (attempt: number): number => Math.min(LONGEST, SHORTEST * 2 ** attempt);

/** Not validated: the schema would add zod to the first page. */
const received = (event: MessageEvent<string>): void => {
  const message: LiveMessage = JSON.parse(event.data);
  sawPosition(message.position);
  if (message.type === 'doorUpdate') {
    const { counts } = message;
    queryClient.setQueryData(keyOf(ticketCalls.counts, { query: { eventId: counts.eventId } }), counts);
  }
  if (message.type !== 'ticketUpdate') return;
  const { eventId } = message;
  refetch(keyOf(catalogueCalls.events, {}));
  refetch(eventKey(eventId));
};

let renew = (): void => undefined;

/** Reopens the live stream with the current session; does nothing if it was never opened. */
export const renewLive = (): void => renew();

export const followLive = (): void => {
  let source: EventSource | undefined;
  let attempt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const disconnect = () => {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  };
  const refetchLists = () => {
    refetch(keyOf(catalogueCalls.events));
    refetch(keyOf(ticketCalls.counts));
  };
  const connect = (missed: boolean) => {
    disconnect();
    const opened = new EventSource(catalogueCalls.live.path, { withCredentials: true });
    source = opened;
    opened.onopen = () => {
      attempt = 0;
      if (missed) refetchLists();
    };
    opened.onmessage = received;
    opened.onerror = () => {
      disconnect();
      if (attempt >= ATTEMPTS) return;
      timer = setTimeout(() => connect(true), waitBefore(attempt));
      attempt += 1;
    };
  };

  renew = () => {
    attempt = 0;
    if (!document.hidden) connect(true);
  };
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) disconnect();
    else renew();
  });
  if (!document.hidden) connect(false);
};
