import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ActingHandler } from '#command-api/commands/command-handler.ts';
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

/** Milliseconds until the next check when no turn is about to end. */
const SOON = 60_000;

const onOffer = async (listingId: number, acting: ActingHandler) => {
  const { state: settings } = await acting.state(siteConfig, SITE_CONFIG);
  if (settingOf(settings, 'booking_enabled') === 'false') return 'BOOKING_DISABLED';
  const { state: listed } = await acting.state(listing, listingId);
  const sale = onSale(listed, acting.context.at);
  if (typeof sale === 'string') return sale;
  const { state: stock } = await acting.state(inventory, listingId);
  return stock.closed ? 'SALES_CLOSED' : { sale, stock };
};

/** @throws Refusal TICKETS_LEFT, WAITING_LIST_FULL, why the listing is not on sale, or as `demandAge` */
export const joinWaiting = async (
  listingId: number,
  userId: string,
  acting: ActingHandler,
): Promise<void> => {
  const offer = await onOffer(listingId, acting);
  if (typeof offer === 'string') throw new Refusal(offer);
  const available = freeTickets(offer.stock);
  if (available > 0) throw new Refusal('TICKETS_LEFT', { available });
  await demandAge(userId, offer.sale, acting);
  await acting.do(waiting, listingId, { type: 'Join', listingId, userId });
};

/** Sales per turn of the event loop; a large listing has 100,000. */
const AT_ONCE = 5_000;

/** Yields to the event loop. */
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

interface Waiter {
  readonly userId: string;
  readonly joined: string;
}

const isInVain = async (
  { userId, joined }: Waiter,
  { listingId, minimumAge, schedule }: OnSale,
  buyers: ReadonlySet<string>,
  acting: ActingHandler,
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
 * Repeatable. People who can't use the offer leave the list, and the next take their turn.
 * @returns milliseconds until the next check; undefined if the next release of tickets triggers it
 */
export const tellWaiting = async (listingId: number, acting: ActingHandler): Promise<number | undefined> => {
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
