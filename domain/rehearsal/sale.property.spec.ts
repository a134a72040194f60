/** A sale rehearsed with nothing changed is the sale, whatever people did. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type InventoryCommand, inventory } from '#domain/inventory/inventory.ts';
import { isOut } from '#domain/inventory/state.ts';
import { isRejection } from '#domain/kernel/decider.ts';
import { sweep } from '#tests/kit/sweep.ts';
import type { Past } from './past.ts';
import { playSale } from './sale.ts';
import { type SaleEvent, saleScript } from './sale-script.ts';

const listingId = 1;
const START = Date.parse('2026-11-20T10:00:00.000Z');

/** A site of a few lines: people act on a real inventory, and the log has what their checkouts and bookings would have said. */
class House {
  readonly past: Past<SaleEvent>[] = [];
  state = inventory.initial;
  now = START;
  attempts: { attempt: string; bookingId: number; userId: string; quantity: number; over: boolean }[] = [];

  constructor(capacity: number) {
    this.decide({ type: 'OpenInventory', listingId, capacity });
  }
  at = (later = 0): string => new Date(this.now + later).toISOString();
  told(event: SaleEvent): void {
    this.past.push({ event, at: this.at() });
  }
  /** Whether it was decided. */
  decide(command: InventoryCommand): boolean {
    const decision = inventory.decide(this.state, command);
    if (isRejection(decision)) return false;
    for (const event of decision) {
      this.state = inventory.evolve(this.state, event, '');
      this.told(event);
    }
    return true;
  }
  ask(quantity: number): void {
    const bookingId = this.attempts.length + 1;
    const one = { attempt: `a${bookingId}`, bookingId, userId: `u${bookingId}`, quantity, over: false };
    this.attempts.push(one);
    const { over: _, quantity: __, ...ids } = one;
    const price = { unitPrice: 1000, quantity, discount: 0, total: 1000 * quantity } as const;
    const quote = { ...price, currency: 'gbp', promotion: null } as const;
    const until = this.at(15 * 60_000);
    const facts = { ...ids, listingId, quote, reference: 'BK', startsAt: this.at(), until };
    this.told({ type: 'CheckoutOpened', data: facts });
    const closed = this.state.closed !== null;
    if (this.decide({ type: 'HoldTickets', ...ids, quantity, until })) return;
    one.over = true;
    const why = closed ? 'sales_closed' : 'sold_out';
    this.told({ type: 'CheckoutClosing', data: { attempt: one.attempt, why } });
    const release = { attempt: one.attempt, bookingId, why: 'refused', at: this.at() } as const;
    this.decide({ type: 'ReleaseHold', ...release });
  }
  pay(n: number): void {
    const one = this.attempts[n % Math.max(1, this.attempts.length)];
    if (!one || one.over) return;
    one.over = true;
    const { over: _, ...sold } = one;
    const closed = this.state.closed !== null;
    if (this.decide({ type: 'SellTickets', ...sold })) return;
    const { attempt, bookingId } = one;
    const why = closed ? 'sales_closed' : 'sold_out';
    this.told({ type: 'CheckoutUnfilled', data: { attempt, bookingId, why } });
  }
  /** The hold ends; who is not `over` may still pay late. */
  letGo(n: number, why: 'expired' | 'abandoned'): void {
    const one = this.attempts[n % Math.max(1, this.attempts.length)];
    if (!one || one.over || !this.state.holds.has(one.attempt)) return;
    const { attempt, bookingId } = one;
    this.decide({ type: 'ReleaseHold', attempt, bookingId, why, at: this.at() });
  }
  cancel(n: number): void {
    const {
      bookingId = 0,
      userId = '',
      quantity = 0,
    } = this.attempts[n % Math.max(1, this.attempts.length)] ?? {};
    const sale = this.state.sales.get(bookingId);
    if (!sale || !isOut(sale)) return;
    const [refund, percent] = [800 * quantity, 80];
    const told = {
      bookingId,
      userId,
      listingId,
      quantity,
      by: 'customer',
      reason: '',
      refund,
      percent,
    } as const;
    this.told({ type: 'BookingCancelled', data: told });
    this.decide({ type: 'ReturnTickets', bookingId, cancellation: sale.returned + 1 });
  }
  reinstate(n: number): void {
    const {
      bookingId = 0,
      userId = '',
      quantity = 0,
    } = this.attempts[n % Math.max(1, this.attempts.length)] ?? {};
    const sale = this.state.sales.get(bookingId);
    if (!sale || isOut(sale)) return;
    const tickets = { bookingId, userId, quantity, cancellation: sale.returned, withdrawal: null };
    this.decide({ type: 'RetakeTickets', ...tickets });
  }
}

const n = fc.nat(30);
const act = fc.oneof(
  fc.integer({ min: 1, max: 4 }).map((quantity) => (house: House) => house.ask(quantity)),
  fc.integer({ min: 1, max: 4 }).map((quantity) => (house: House) => house.ask(quantity)),
  n.map((who) => (house: House) => house.pay(who)),
  n.map((who) => (house: House) => house.pay(who)),
  n.map((who) => (house: House) => house.letGo(who, 'expired')),
  n.map((who) => (house: House) => house.letGo(who, 'abandoned')),
  n.map((who) => (house: House) => house.cancel(who)),
  n.map((who) => (house: House) => house.reinstate(who)),
  fc.nat(20).map((capacity) => (house: House) => void house.decide({ type: 'ChangeCapacity', capacity })),
  n.map((one) => (house: House) => {
    if (one === 0) house.decide({ type: 'CloseSales', why: 'started' });
  }),
);
const evening = fc.record({
  capacity: fc.nat(12),
  acts: fc.array(fc.record({ act, later: fc.nat(20 * 60_000) }), { maxLength: 60, size: '+1' }),
});

const acted = (capacity: number, acts: readonly { act: (house: House) => void; later: number }[]): House => {
  const house = new House(capacity);
  for (const { act, later } of acts) {
    house.now += later;
    act(house);
  }
  return house;
};

it('ends as it did when nothing is changed', () => {
  fc.assert(
    fc.property(evening, ({ capacity, acts }) => {
      const house = acted(capacity, acts);
      const script = saleScript(house.past);
      if (!script) throw new Error('no script');
      expect(script.inFact).toMatchObject({ sold: house.state.sold, capacity: house.state.capacity });
      const last = [...playSale(script, {})].at(-1);
      if (last) expect(last.figures()).toEqual(script.inFact);
    }),
    { numRuns: sweep(150, 3_000) },
  );
});

it('never sells more than there are, under any change', () => {
  const changes = fc.record(
    {
      capacity: fc.nat(20),
      price: fc.nat(5000),
      hold: fc.integer({ min: 1, max: 60 }).map((m) => m * 60_000),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(evening, changes, ({ capacity, acts }, changed) => {
      const script = saleScript(acted(capacity, acts).past);
      if (!script) throw new Error('no script');
      let latest = 0;
      for (const { at, figures } of playSale(script, changed)) {
        expect(at).toBeGreaterThanOrEqual(latest);
        latest = at;
        const { sold, capacity: most } = figures();
        expect(sold).toBeLessThanOrEqual(most);
      }
    }),
    { numRuns: sweep(100, 2_000) },
  );
});
