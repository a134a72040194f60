import { describe, expect, it } from 'vitest';
import { dispute } from '#domain/dispute/dispute.ts';
import { refund } from '#domain/refund/refund.ts';
import { BOOKING, Cancelled, INTENT } from '#tests/kit/cancelled.ts';
import { stopAnywhere } from '#tests/kit/processes.ts';
import { LISTING, quoteOf, Sale } from '#tests/kit/sale.ts';

const PAY = { task: 'pay' } as const;
const ALL = { back: 1600, phase: 'succeeded', refunded: 1600, byHand: 0, failure: null, status: 'refunded' };
const disputed = (sale: Sale, status: 'open' | 'won' | 'lost'): void => {
  const whose = { bookingId: BOOKING, userId: 'ann', listingId: LISTING, intentId: INTENT, disputeId: 'dp' };
  const facts = { ...whose, amount: 2000, reason: 'fraudulent', dueBy: null, openedAt: sale.at() };
  sale.must(dispute, BOOKING, { type: 'RecordDispute', status, ...facts });
};

interface Story {
  readonly before?: (sale: Sale) => void;
  readonly meanwhile?: (sale: Sale, move: number) => void;
  readonly ends?: object;
}

const stories: Record<string, Story> = {
  'one that is paid at once': {},
  'one that the provider takes its time for': {
    before: (sale) => {
      sale.refundsBecome = 'pending';
    },
  },
  'one that fails the first time': {
    before: (sale) => {
      sale.refundsBecome = 'failed';
    },
    meanwhile: (sale, move) => {
      if (move > 20) sale.refundsBecome = 'succeeded';
    },
  },
  'one that comes back after it has succeeded': {
    meanwhile: (sale, move) => {
      if (move === 40) sale.endRefund('re_0', 'failed');
    },
  },
  'one beside a gesture from before it was requested': {
    before: (sale) => void sale.giveBack(INTENT, 300),
    ends: { ...ALL, back: 1900 },
  },
  'one for which a gesture from before it was requested left too little': {
    before: (sale) => void sale.giveBack(INTENT, 1000),
    ends: { ...ALL, byHand: 1000 },
  },
  'one that was paid by hand before it was requested, so that nothing is left': {
    before: (sale) => void sale.giveBack(INTENT, 1800),
    ends: { ...ALL, back: 1800, byHand: 1600 },
  },
  'one of which a part comes by hand meanwhile': {
    meanwhile: (sale, move) => {
      if (move === 3) sale.giveBack(INTENT, 500);
    },
    ends: { ...ALL, byHand: 500 },
  },
  'one whose payment is disputed for a while': {
    before: (sale) => disputed(sale, 'open'),
    meanwhile: (sale, move) => {
      if (move < 30) expect(sale.refunds).toEqual([]);
      if (move === 30) disputed(sale, 'won');
    },
  },
};

describe('a payout that is stopped anywhere and continued ends with the whole refund, once', () => {
  for (const [name, { before, meanwhile, ends = ALL }] of Object.entries(stories)) {
    it(name, () =>
      stopAnywhere({
        world: () => new Cancelled(before),
        start: (sale) => sale.payout(BOOKING, PAY),
        meanwhile: (sale, move) => meanwhile?.(sale, move),
        end(sale) {
          if (sale.state(dispute, BOOKING).size > 0) disputed(sale, 'won');
          sale.finish();
        },
        holds(sale, whole) {
          const { told } = sale;
          expect(told).toMatchObject({ phase: 'succeeded', refunded: 1600, status: 'refunded' });
          expect(told.back).toBeGreaterThanOrEqual(1600);
          if (whole) expect(told).toEqual(ends);
        },
      }),
    );
  }
});

describe('a payout pauses', () => {
  it('until the provider has decided', () => {
    const sale = new Cancelled();
    sale.refundsBecome = 'pending';
    const again = new Date(sale.now + 5 * 60_000);
    expect(sale.payout(BOOKING, PAY).run()).toEqual({ again });
    expect(sale.payout(BOOKING, PAY).run()).toEqual({ again });
    expect(sale.refunds).toHaveLength(1);
  });

  it('while the payment is disputed, and for good once the dispute is lost', () => {
    for (const status of ['open', 'lost'] as const) {
      const sale = new Cancelled((one) => disputed(one, status));
      expect(sale.payout(BOOKING, PAY).run()).toEqual({ again: new Date(sale.now + 3_600_000) });
      expect(sale.told).toMatchObject({ back: 0, phase: 'approved' });
    }
  });

  it('after one attempt, because the next has its own time', () => {
    const sale = new Cancelled();
    sale.refundsBecome = 'failed';
    expect(sale.payout(BOOKING, PAY).run()).toBe('done');
    expect(sale.state(refund, BOOKING)).toMatchObject({ phase: 'failed', attempt: 1 });
    expect(sale.follow(BOOKING).run()).toBe('done');
    expect(sale.payout(BOOKING, { task: 'mark' }).run()).toBe('done');
    expect(sale.state(refund, BOOKING).attempt).toBe(1);
  });

  it('if no refund was requested or approved', () => {
    const sale = new Sale(2);
    sale.booked('ann', quoteOf(2, 2000, false));
    expect(sale.payout(BOOKING, PAY).run()).toBe('done');
    const cancelled = new Cancelled();
    cancelled.must(refund, BOOKING, { type: 'Deny', reason: 'No' });
    expect(cancelled.payout(BOOKING, PAY).run()).toBe('done');
    expect(cancelled.told).toMatchObject({ back: 0, phase: 'denied', status: 'cancelled' });
  });

  it('until a person has paid the rest, if the attempt’s key had paid less before a restore', () => {
    const sale = new Cancelled((one) => void one.giveBack(INTENT, 1000, { bookingId: BOOKING, attempt: 1 }));
    const short = {
      person: `refund ${BOOKING}: £10.00 of £16.00 was paid back: pay the rest back at the provider`,
    };
    expect(sale.payout(BOOKING, PAY).run()).toEqual(short);
    expect(sale.follow(BOOKING).run()).toBe('done');
    expect(sale.payout(BOOKING, PAY).run()).toEqual(short);
    sale.giveBack(INTENT, 600);
    expect(sale.payout(BOOKING, PAY).run()).toBe('done');
    expect(sale.told).toEqual({ ...ALL, byHand: 600 });
  });
});

describe('a refund reported by the provider', () => {
  it('is recorded once if a refund by hand makes up for a failed attempt', () => {
    const sale = new Cancelled();
    sale.refundsBecome = 'failed';
    sale.payout(BOOKING, PAY).run();
    sale.refundsBecome = 'succeeded';
    sale.giveBack(INTENT, 1600);
    expect(sale.follow(BOOKING).run()).toBe('done');
    const events = sale.eventCount();
    expect(sale.told).toEqual({ ...ALL, byHand: 1600 });
    expect(sale.follow(BOOKING).run()).toBe('done');
    expect(sale.eventCount()).toBe(events);
  });

  it('is left to an attempt that may be paying', () => {
    const sale = new Cancelled();
    const paying = sale.payout(BOOKING, PAY);
    // It has found that nothing was paid back.
    paying.run(12);
    sale.giveBack(INTENT, 1600);
    expect(sale.follow(BOOKING).run()).toBe('done');
    expect(sale.told.phase).toBe('submitted');
    paying.run();
    expect(sale.told).toMatchObject({ back: 1600, phase: 'failed' });
  });

  it('asks a person to decide if the booking is confirmed and its event lies ahead', () => {
    const sale = new Sale(2);
    sale.booked('ann', quoteOf(2, 2000, false));
    sale.giveBack(INTENT, 1999);
    expect(sale.follow(BOOKING).run()).toBe('done');
    sale.giveBack(INTENT, 1);
    expect(sale.follow(BOOKING).run()).toEqual({
      person: `all of £20.00 was paid back by hand, but booking ${BOOKING} stands and admits: cancel it, and this counts as its refund`,
    });
    sale.now = Date.parse(sale.startsAt);
    expect(sale.follow(BOOKING).run()).toBe('done');
  });
});
