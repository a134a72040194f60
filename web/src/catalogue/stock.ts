import type { EventSummary } from '#domain/contracts/catalogue.ts';

/** The card says how many tickets are left if there are fewer than this. */
const FEW = 20;

/** What a card says about an event's tickets; undefined while there are plenty. */
export const stockOf = (
  event: Pick<EventSummary, 'availableTickets' | 'notBookable'>,
): { words: string; tone: 'warn' | 'bad' | 'dim' } | undefined => {
  if (event.availableTickets <= 0) return { words: 'Sold Out', tone: 'bad' };
  if (event.notBookable === 'started') return { words: 'Sales closed', tone: 'dim' };
  if (event.notBookable) return { words: 'Not on sale', tone: 'dim' };
  if (event.availableTickets < FEW) return { words: `Only ${event.availableTickets} left`, tone: 'warn' };
  return undefined;
};
