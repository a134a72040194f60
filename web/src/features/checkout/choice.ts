import { serverNow } from '#web/lib/clock.ts';
import { forTab, jsonOf } from '#web/lib/storage.ts';

export interface Choice {
  /** Another user may sign in on the same tab. */
  readonly userId: string;
  readonly quantity: number;
  readonly promo: { readonly code: string; readonly discount: string };
  /** ISO 8601 in UTC. */
  readonly heldUntil?: string | undefined;
  /** Last booking of this event already shown to the user when they chose to buy more. */
  readonly lastBookingId: number | null;
}

export const NO_PROMO: Choice['promo'] = { code: '', discount: '0.00' };

export const NOTHING_CHOSEN = { quantity: 1, promo: NO_PROMO, lastBookingId: null } as const;

const keyOf = (eventId: number): string => `checkout-${eventId}`;

export const rememberChoice = (eventId: number, choice: Choice): void =>
  forTab.set(keyOf(eventId), JSON.stringify(choice));

export const choiceOf = (eventId: number, userId: string): Choice => {
  const kept = jsonOf(forTab.get(keyOf(eventId))) as Partial<Choice> | null | undefined;
  return kept?.userId === userId ? { userId, ...NOTHING_CHOSEN, ...kept } : { userId, ...NOTHING_CHOSEN };
};

/** A holder can buy even if the event is sold out. */
export const holdsTickets = (eventId: number, userId: string): boolean =>
  Date.parse(choiceOf(eventId, userId).heldUntil ?? '') > serverNow();

export const forgetChoice = (eventId: number): void => forTab.remove(keyOf(eventId));
