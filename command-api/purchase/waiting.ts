/** The waiting list of a sold-out listing: joining it, and telling those on it that there are tickets again. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ActingLane } from '#command-api/lane/lane.ts';
import { account } from '#domain/account/account.ts';
import { signInRefusal } from '#domain/account/state.ts';
import { checkout, checkoutId } from '#domain/checkout/checkout.ts';
import { SITE_CONFIG, settingOf, siteConfig } from '#domain/content/site-config.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { freeTickets, type InventoryState, isOut } from '#domain/inventory/state.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { listing } from '#domain/listing/listing.ts';
import { isOfAge } from '#domain/listing/minimum-age.ts';
import { type OnSale, onSale } from '#domain/listing/state.ts';
import { MOST_TOLD, nextToTell, TURN, waiting } from '#domain/waiting/waiting.ts';
import { demandAge } from './demand-age.ts';

/** After how many milliseconds those who wait are looked at again where that hangs on nobody's turn. */
const SOON = 60_000;

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

/** How many sales are looked through in one turn of the event loop: a large listing has a hundred thousand. */
const AT_ONCE = 5_000;

/** Who of these people has tickets. Others get their turns of the event loop meanwhile. */
export const buyersAmong = async (
  { sales }: Pick<InventoryState, 'sales'>,
  isAsked: (userId: string) => boolean,
): Promise<ReadonlySet<string>> => {
  const found = new Set<string>();
  let seen = 0;
  for (const sale of sales.values()) {
    if (isAsked(sale.userId) && isOut(sale)) found.add(sale.userId);
    if (++seen % AT_ONCE === 0) await nextTurn();
  }
  return found;
};

/** Somebody on the list, and when they joined it, an ISO instant. */
interface Waiter {
  readonly userId: string;
  readonly joined: string;
}

/** Whether it is no use to tell somebody: they can't buy any more, or have bought tickets since they joined. */
const isInVain = async (
  { userId, joined }: Waiter,
  { listingId, minimumAge, schedule }: OnSale,
  buyers: ReadonlySet<string>,
  acting: ActingLane,
): Promise<boolean> => {
  const { state: person } = await acting.state(account, userId);
  const { dateOfBirth } = person;
  if (signInRefusal(person)) return true;
  if (minimumAge && typeof dateOfBirth === 'string' && !isOfAge(dateOfBirth, minimumAge, schedule.date))
    return true;
  if (!buyers.has(userId)) return false;
  const { bought } = (await acting.state(checkout, checkoutId(userId, listingId))).state;
  return bought !== null && bought.at > joined;
};

/**
 * Tells the next people that there are tickets, if there are: what follows from the events writes the mails. It can be repeated.
 * Whoever it is no use to tell leaves the list, and their turn is the next one's.
 * @returns after how many milliseconds to look again; undefined if what gives tickets back is soon enough
 */
export const tellWaiting = async (listingId: number, acting: ActingLane): Promise<number | undefined> => {
  const { state: list } = await acting.state(waiting, listingId);
  if (list.waiting.isEmpty()) return undefined;
  const offer = await onOffer(listingId, acting);
  if (offer === 'BOOKING_DISABLED') return SOON;
  if (typeof offer === 'string') return undefined;
  const { sale, stock } = offer;
  const free = freeTickets(stock);
  if (free <= 0) return undefined;
  const buyers = await buyersAmong(stock, (userId) => list.waiting.has(userId) || list.told.has(userId));
  const holders = new Set(Array.from(stock.holds.values(), ({ userId }) => userId));
  const userIds = nextToTell(list, { free, buyers, holders, at: acting.context.at });
  const inVain = await Promise.all(
    userIds.map((userId) => isInVain({ userId, joined: list.waiting.get(userId, '') }, sale, buyers, acting)),
  );
  const without = userIds.filter((_, index) => inVain[index]);
  for (const userId of without) await acting.do(waiting, listingId, { type: 'Leave', listingId, userId });
  if (without.length > 0) return tellWaiting(listingId, acting);
  if (userIds.length > 0) await acting.do(waiting, listingId, { type: 'Tell', listingId, userIds });
  if (list.waiting.size === userIds.length) return undefined;
  return userIds.length === MOST_TOLD ? SOON : TURN;
};
