import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { bookCheckout } from '#command-api/purchase/book-checkout.ts';
import { cancelBooking } from '#command-api/purchase/cancel.ts';
import { openCheckout } from '#command-api/purchase/open-checkout.ts';
import type { PendingRequests } from '#command-api/purchase/pending-requests.ts';
import { Hints } from '#command-api/purchase/purchase.ts';
import { createReadings } from '#command-api/purchase/readings.ts';
import { payOut } from '#command-api/purchase/refunds.ts';
import type { Role } from '#domain/account/events.ts';
import { admission } from '#domain/admission/admission.ts';
import { booking } from '#domain/booking/booking.ts';
import { streamOf } from '#domain/kernel/decider.ts';
import { percentOf } from '#domain/kernel/money.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { refund } from '#domain/refund/refund.ts';
import { type EventLog, START } from '#infra/event-log/event-log.ts';
import { accountIdOf, accounts } from '#infra/identity/demo-accounts.ts';
import { uuidFrom } from '#infra/ids/ids.ts';
import { Turns } from '#infra/lib/turns.ts';
import { dayAfter } from './catalogue.ts';
import { actingAt, type DemoDeps, STORY } from './demo-deps.ts';
import { paidGateway } from './paid-gateway.ts';
import { audience } from './people.ts';
import { listings } from './programme.ts';

interface Purchase {
  readonly bookingId: number;
  readonly userId: string;
  readonly listingId: number;
  readonly quantity: number;
  readonly at: number;
  readonly promoCode?: string;
  readonly fate?: 'refunded' | 'refund-waiting' | 'refund-denied' | 'nothing-back' | 'admitted';
}

const dice = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
};

const idOfRole = (role: Role): string => {
  const person = accounts.find((one) => one.role === role);
  if (!person) throw new Error(`the demo has no ${role}`);
  return accountIdOf(person);
};
const CUSTOMER = idOfRole('user');
const DOOR = idOfRole('staff');

const listingNamed = (title: string): number => listings.find((one) => one.title.startsWith(title))?.id ?? 1;

const own: readonly Omit<Purchase, 'bookingId' | 'userId'>[] = [
  { listingId: listingNamed('Disco Dentelle'), quantity: 2, at: 0.9 },
  { listingId: listingNamed('The Low Tides'), quantity: 4, at: 0.6, promoCode: 'ENCORE10' },
  { listingId: listingNamed('Balti'), quantity: 2, at: 0.8 },
  { listingId: listingNamed('Autumn Brass'), quantity: 2, at: 0.1, fate: 'admitted' },
  { listingId: listingNamed('Harvest Long Table'), quantity: 2, at: 0.2, fate: 'admitted' },
  { listingId: listingNamed('Requiem'), quantity: 3, at: 0.3, fate: 'refunded' },
  { listingId: listingNamed('Grime Symphony'), quantity: 2, at: 0.5, fate: 'refund-waiting' },
  { listingId: listingNamed('Natural Wine Fair'), quantity: 1, at: 0.4, fate: 'refund-denied' },
];

const purchases = (): readonly Purchase[] => {
  const roll = dice(20_261_121);
  const people = audience.map(accountIdOf);
  const mine = own.map((purchase) => ({ ...purchase, userId: CUSTOMER }));
  const crowd: Omit<Purchase, 'bookingId'>[] = [];
  for (const listing of listings) {
    let left =
      (listing.sold ?? Math.floor(roll() * Math.min(60, listing.capacity / 3))) -
      mine
        .filter((one) => one.listingId === listing.id && one.fate !== 'refunded')
        .reduce((sum, one) => sum + one.quantity, 0);
    while (left > 0) {
      const quantity = Math.min(left, left > 100 ? 10 : 1 + Math.floor(roll() * 6));
      const userId = people[Math.floor(roll() * people.length)] ?? '';
      const luck = roll();
      const past = listing.inDays < 0;
      const at = past ? roll() * 0.4 : roll() * 0.95;
      const fate = past ? ('admitted' as const) : undefined;
      crowd.push({ userId, listingId: listing.id, quantity, at, ...(fate ? { fate } : {}) });
      left -= quantity;
      const roomy = !past && (listing.sold ?? 0) < listing.capacity && listing.inDays > 10;
      if (roomy && luck < 0.03) {
        const undone = luck < 0.015 ? 'refunded' : luck < 0.022 ? 'refund-denied' : 'refund-waiting';
        crowd.push({ userId, listingId: listing.id, quantity: 1, at: roll() * 0.9, fate: undone });
      }
    }
  }
  return [...mine, ...crowd].map((purchase, index) => ({ ...purchase, bookingId: index + 1 }));
};

const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const referenceOf = (bookingId: number): string =>
  `BK${[...createHash('sha256').update(`demo ${bookingId}`).digest().subarray(0, 8)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')}`;

const streamsOf = async (log: EventLog): Promise<ReadonlySet<string>> => {
  const streams = new Set<string>();
  const filter = { streamPrefixes: [booking, admission].map(({ name }) => `${name}-`) };
  for await (const { events } of log.readAll(START, { filter }))
    for (const { stream } of events) streams.add(stream);
  return streams;
};

/** The next start completes what this leaves out. */
const NOT_KEPT: PendingRequests = {
  keep: async () => true,
  fulfilled: async () => undefined,
  again: async () => undefined,
};

const AT_ONCE = 24;

export const seedPurchases = async (given: DemoDeps, today: Date): Promise<void> => {
  const time = new AsyncLocalStorage<Date>();
  const deps: DemoDeps = { ...given, clock: () => time.getStore() ?? given.clock() };
  const gateway = paidGateway(deps.database.pool);
  const readings = createReadings(deps);
  const purchasing = { ...deps, gateway, readings, hints: new Hints(deps.clock) };
  const done = await streamsOf(deps.log);
  const timeOf = (share: number): string => new Date(today.getTime() - STORY * (1 - share)).toISOString();

  const laterOf = ({ fate, listingId, at }: Purchase): string => {
    const { inDays = 0, time: doors = '19:00' } = listings[listingId - 1] ?? {};
    if (fate === 'admitted') return `${dayAfter(today, inDays)}T${doors}:00.000Z`;
    return timeOf(at + (1 - at) / 2);
  };

  const buy = async (purchase: Purchase): Promise<void> => {
    const { bookingId, userId, listingId, quantity, promoCode = null } = purchase;
    if (done.has(streamOf(booking, bookingId))) return;
    const price = listings[listingId - 1]?.price ?? 0;
    const whole = price * quantity;
    const amount = promoCode ? whole - percentOf(whole, 10) : whole;
    const ids = {
      attempt: uuidFrom(`demo attempt ${bookingId}`),
      bookingId,
      reference: referenceOf(bookingId),
    };
    const acting = actingAt(deps, timeOf(purchase.at));
    try {
      await openCheckout(purchasing, userId, { listingId, quantity, promoCode, amount }, ids, acting);
    } catch (error) {
      // A start was killed after opening this checkout; opening it again has completed it.
      if (error instanceof Refusal && error.code === 'ALREADY_PAID') return;
      throw error;
    }
    await bookCheckout(purchasing, userId, { listingId, quantity, totalAmount: amount }, acting);
  };

  const follow = async ({ fate, bookingId, userId, listingId, quantity }: Purchase): Promise<void> => {
    if (!fate) return;
    const at = deps.clock().toISOString();
    const acting = actingAt(deps, at);
    if (fate === 'admitted') {
      const command = {
        type: 'Admit',
        bookingId,
        userId,
        listingId,
        page: 1,
        quantity,
        gate: 'Main door',
        by: { id: DOOR },
        at,
      } as const;
      if (!done.has(streamOf(admission, bookingId))) await acting.do(admission, bookingId, command);
      return;
    }
    const cancelled = await cancelBooking(
      { pendingRequests: NOT_KEPT, clock: deps.clock },
      fate === 'refunded'
        ? { bookingId, by: 'customer', userId, reason: 'We are away that week after all, sorry.' }
        : { bookingId, by: 'admin', reason: 'Asked for by telephone: the party can’t come.' },
      acting,
    );
    if (cancelled.rest !== 'done') return;
    if (fate === 'refund-denied') {
      const command = { type: 'Deny', reason: 'The tickets were passed on and used.' } as const;
      await acting.do(refund, bookingId, command);
    }
    if (fate === 'refunded') await payOut({ gateway, clock: deps.clock }, bookingId, { task: 'pay' }, acting);
  };

  // One purchase at a time for each person.
  const turns = new Turns(AT_ONCE);
  const buyAll = async (ofOnePerson: readonly Purchase[]): Promise<void> => {
    for (const purchase of ofOnePerson) {
      if (deps.over.aborted) return;
      await time.run(new Date(timeOf(purchase.at)), () => buy(purchase));
      await time.run(new Date(laterOf(purchase)), () => follow(purchase));
    }
  };
  const byPerson = Map.groupBy(purchases(), ({ userId }) => userId);
  await Promise.all([...byPerson.values()].map((all) => turns.take(() => buyAll(all))));
};
