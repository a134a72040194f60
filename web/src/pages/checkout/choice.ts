import { serverNow } from '../../api/clock.ts';

/** What somebody has chosen in a checkout, so that a reload, or a way round by sign-in, brings it back. Kept for the tab. */
export interface Choice {
  readonly quantity: number;
  readonly promo: { readonly code: string; readonly discount: string };
  /** ISO instant: until then the tickets are held for this person. */
  readonly heldUntil?: string | undefined;
}

export const NO_PROMO: Choice['promo'] = { code: '', discount: '0.00' };

const keyOf = (eventId: number): string => `checkout-${eventId}`;

export const rememberChoice = (eventId: number, choice: Choice): void =>
  sessionStorage.setItem(keyOf(eventId), JSON.stringify(choice));

/** One ticket without a code, unless something was chosen before. */
export const choiceOf = (eventId: number | undefined): Choice => {
  const kept = eventId === undefined ? null : sessionStorage.getItem(keyOf(eventId));
  return kept ? JSON.parse(kept) : { quantity: 1, promo: NO_PROMO };
};

/** Whether tickets are held for whoever uses this tab: those are gone for others, not for them. */
export const holdsTickets = (eventId: number): boolean =>
  Date.parse(choiceOf(eventId).heldUntil ?? '') > serverNow();

/** Once it is bought. */
export const forgetChoice = (eventId: number): void => sessionStorage.removeItem(keyOf(eventId));
