/** The waiting list of a sold-out listing: joining it, and telling those on it that there are tickets again. */
import type { ActingLane } from '#command-api/lane/lane.ts';
import { account } from '#domain/account/account.ts';
import { signInRefusal } from '#domain/account/state.ts';
import { SITE_CONFIG, settingOf, siteConfig } from '#domain/content/site-config.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { freeTickets, isOut } from '#domain/inventory/state.ts';
import { listing } from '#domain/listing/listing.ts';
import { onSale } from '#domain/listing/state.ts';
import { Refusal } from '#domain/refusal.ts';
import { nextToTell, waiting } from '#domain/waiting/waiting.ts';
import { demandAge } from './open-checkout.ts';

/** What is for sale of a listing at the moment, and its inventory; or why nothing is. */
const onOffer = async (listingId: number, acting: ActingLane) => {
  const { state: settings } = await acting.state(siteConfig, SITE_CONFIG);
  if (settingOf(settings, 'booking_enabled') === 'false') return 'BOOKING_DISABLED';
  const { state: listed } = await acting.state(listing, listingId);
  const sale = onSale(listed, acting.context.at);
  if (typeof sale === 'string') return sale;
  const { state: stock } = await acting.state(inventory, listingId);
  return stock.closed ? 'SALES_CLOSED' : { sale, stock };
};

/**
 * Puts a person on the waiting list, who could buy if there were tickets.
 * @throws Refusal TICKETS_LEFT, WAITING_LIST_FULL, why the listing is not on sale, or as `demandAge`
 */
export const joinWaiting = async (listingId: number, userId: string, acting: ActingLane): Promise<void> => {
  const offer = await onOffer(listingId, acting);
  if (typeof offer === 'string') throw new Refusal(offer);
  const available = freeTickets(offer.stock);
  if (available > 0) throw new Refusal('TICKETS_LEFT', { available });
  await demandAge(userId, offer.sale, acting);
  await acting.do(waiting, listingId, { type: 'Join', listingId, userId });
};

/** Those of these people who can't buy any more: their account is deleted, or closed. */
const gone = async (userIds: readonly string[], acting: ActingLane): Promise<readonly string[]> => {
  const accounts = await Promise.all(userIds.map((userId) => acting.state(account, userId)));
  return userIds.filter((_, index) => {
    const state = accounts[index]?.state;
    return !state || signInRefusal(state);
  });
};

/**
 * Tells the next people that there are tickets, if there are: what follows from the events writes the mails. It can be repeated.
 * Whoever has no account any more leaves the list, and their turn is the next one's.
 * @returns whether to look again when the turn of those who were told is over
 */
export const tellWaiting = async (listingId: number, acting: ActingLane): Promise<boolean> => {
  const { state: list } = await acting.state(waiting, listingId);
  if (list.waiting.isEmpty()) return false;
  const offer = await onOffer(listingId, acting);
  if (offer === 'BOOKING_DISABLED') return true;
  if (typeof offer === 'string') return false;
  const { stock } = offer;
  const free = freeTickets(stock);
  if (free <= 0) return false;
  const buyers = new Set(
    stock.sales
      .valueSeq()
      .filter(isOut)
      .map(({ userId }) => userId),
  );
  const userIds = nextToTell(list, { free, buyers, at: acting.context.at });
  const without = await gone(userIds, acting);
  for (const userId of without) await acting.do(waiting, listingId, { type: 'Leave', listingId, userId });
  if (without.length > 0) return tellWaiting(listingId, acting);
  if (userIds.length > 0) await acting.do(waiting, listingId, { type: 'Tell', listingId, userIds });
  return list.waiting.size > userIds.length;
};
