import type { EventSummary } from '#domain/contracts/catalogue.ts';

/** Below this, cards show the number of tickets left. */
const FEW = 20;

export const stockOf = (
  event: Pick<EventSummary, 'availableTickets' | 'notBookable'>,
): { words: string; tone: 'warn' | 'bad' | 'dim' } | undefined => {
  if (event.availableTickets <= 0) return { words: 'Sold Out', tone: 'bad' };
  if (event.notBookable === 'started') return { words: 'Sales closed', tone: 'dim' };
  if (event.notBookable) return { words: 'Not on sale', tone: 'dim' };
  if (event.availableTickets < FEW) return { words: `Only ${event.availableTickets} left`, tone: 'warn' };
  return undefined;
};
