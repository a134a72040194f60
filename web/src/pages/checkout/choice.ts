import { serverNow } from '../../api/clock.ts';

/** What a person has chosen in a checkout. It is kept for the tab, so that it is still there after a reload or a sign-in. */
export interface Choice {
  readonly quantity: number;
  readonly promo: { readonly code: string; readonly discount: string };
  /** Until when the tickets are held for this person, ISO 8601 in UTC. */
  readonly heldUntil?: string | undefined;
}

export const NO_PROMO: Choice['promo'] = { code: '', discount: '0.00' };

const keyOf = (eventId: number): string => `checkout-${eventId}`;

/** Keeps a choice for the tab. */
export const rememberChoice = (eventId: number, choice: Choice): void =>
  sessionStorage.setItem(keyOf(eventId), JSON.stringify(choice));

/** What was chosen before; otherwise one ticket without a code. */
export const choiceOf = (eventId: number | undefined): Choice => {
  const kept = eventId === undefined ? null : sessionStorage.getItem(keyOf(eventId));
  return kept ? JSON.parse(kept) : { quantity: 1, promo: NO_PROMO };
};

/** Whether tickets are held for the person in this tab, who can buy them even if the event is sold out for others. */
export const holdsTickets = (eventId: number): boolean =>
  Date.parse(choiceOf(eventId).heldUntil ?? '') > serverNow();

/** Forgets a choice, after the purchase. */
export const forgetChoice = (eventId: number): void => sessionStorage.removeItem(keyOf(eventId));
