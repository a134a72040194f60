import { serverNow } from '../../api/clock.ts';
import { forTab, jsonOf } from '../../lib/storage.ts';

/** What a person has chosen in a checkout. It is kept for the tab, so that it is still there after a reload or a sign-in. */
export interface Choice {
  /** Whose choice it is: another person may sign in on the same tab. */
  readonly userId: string;
  readonly quantity: number;
  readonly promo: { readonly code: string; readonly discount: string };
  /** Until when the tickets are held for this person, ISO 8601 in UTC. */
  readonly heldUntil?: string | undefined;
  /** The last booking of the event that the person was shown here before they chose to buy more. */
  readonly lastBookingId: number | null;
}

/** No code, which takes nothing off. */
export const NO_PROMO: Choice['promo'] = { code: '', discount: '0.00' };

/** One ticket without a code, for somebody who has bought none. */
export const NOTHING_CHOSEN = { quantity: 1, promo: NO_PROMO, lastBookingId: null } as const;

const keyOf = (eventId: number): string => `checkout-${eventId}`;

/** Keeps a choice for the tab. */
export const rememberChoice = (eventId: number, choice: Choice): void =>
  forTab.set(keyOf(eventId), JSON.stringify(choice));

/** What this person has chosen before; otherwise one ticket without a code. */
export const choiceOf = (eventId: number, userId: string): Choice => {
  const kept = jsonOf(forTab.get(keyOf(eventId))) as Partial<Choice> | null | undefined;
  return kept?.userId === userId ? { userId, ...NOTHING_CHOSEN, ...kept } : { userId, ...NOTHING_CHOSEN };
};

/** Whether tickets are held for this person in this tab. They can buy them even if the event is sold out for others. */
export const holdsTickets = (eventId: number, userId: string): boolean =>
  Date.parse(choiceOf(eventId, userId).heldUntil ?? '') > serverNow();

/** Forgets a choice, after the purchase. */
export const forgetChoice = (eventId: number): void => forTab.remove(keyOf(eventId));
