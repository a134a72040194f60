import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dispute } from '#domain/dispute/dispute.ts';
import { isByHand, isLive, missing, sum } from '#domain/refund/paid-back.ts';
import { refund } from '#domain/refund/refund.ts';
import { BOOKING, Cancelled, INTENT } from '#tests/kit/cancelled.ts';
import type { Walker } from '#tests/kit/processes.ts';
import { LISTING } from '#tests/kit/sale.ts';
import { isWhole, sweep } from '#tests/kit/sweep.ts';

/**
 * Runs of a payout begin, go on and stop for ever, in any order, while the provider is away, takes its time, fails and changes its mind,
 * people pay back by hand, the bank disputes, and superusers decide.
 */
class Turmoil {
  readonly world: Cancelled;
  runs: Walker[] = [];
  /** Whether money was paid past the site. */
  strange: boolean;

  constructor(before: number, lost: number) {
    this.world = new Cancelled((sale) => {
      if (before > 0) sale.giveBack(INTENT, before);
      if (lost > 0) sale.giveBack(INTENT, lost, { bookingId: BOOKING, attempt: 1 });
    });
    this.strange = before + lost > 0;
  }

  /** Runs: they begin, go on and stop. */
  run(what: string, n: number, m: number): void {
    const { world } = this;
    const run = this.runs[n % Math.max(1, this.runs.length)];
    if (what === 'pay') this.runs.push(world.payout(BOOKING, { task: 'pay' }));
    if (what === 'follow') this.runs.push(world.follow(BOOKING));
    if (what === 'step') this.#go(run, 1);
    if (what === 'run') this.#go(run, m);
    if (what === 'stop') this.runs = this.runs.filter((one) => one !== run && one.rest === undefined);
  }

  /** What others do meanwhile. */
  others(what: string, n: number): void {
    const { world } = this;
    const one = world.refunds[n % Math.max(1, world.refunds.length)];
    if (what === 'become')
      world.refundsBecome = (['succeeded', 'pending', 'failed'] as const)[n % 3] ?? 'failed';
    if (what === 'end' && one) world.endRefund(one.id, n % 3 === 0 ? 'failed' : 'succeeded');
    if (what === 'hand') {
      this.strange = true;
      world.giveBack(INTENT, [100, 800, 1600][n % 3] ?? 100);
    }
    if (what === 'approve') world.do(refund, BOOKING, { type: 'Approve', notes: '' });
    if (what === 'deny') world.do(refund, BOOKING, { type: 'Deny', reason: 'No' });
    if (what === 'reset') world.do(refund, BOOKING, { type: 'Reset' });
    if (what === 'dispute') this.dispute(n % 2 === 0 ? 'open' : 'won');
    if (what === 'down') world.down = n % 2 === 0;
    if (what === 'time') world.now += n * 1_000;
  }

  /** A run that can't reach the provider is over: its job begins another. */
  #go(run: Walker | undefined, moves: number): void {
    try {
      run?.run(moves);
    } catch {
      this.runs = this.runs.filter((walker) => walker !== run);
    }
  }

  dispute(status: 'open' | 'won'): void {
    const whose = {
      bookingId: BOOKING,
      userId: 'ann',
      listingId: LISTING,
      intentId: INTENT,
      disputeId: 'dp',
    };
    const facts = { ...whose, amount: 2000, reason: 'fraudulent', dueBy: null, openedAt: this.world.at() };
    this.world.do(dispute, BOOKING, { type: 'RecordDispute', status, ...facts });
  }

  /** Never more is paid back than was paid, nor by the site than the refund. */
  holdsAlways(): void {
    const live = this.world.refunds.filter(isLive);
    expect(sum(live)).toBeLessThanOrEqual(2000);
    if (!this.strange)
      expect(sum(live.filter((one) => !isByHand(one)))).toBeLessThanOrEqual(
        this.world.state(refund, BOOKING).amount,
      );
  }

  end(): void {
    const { world } = this;
    this.dispute('won');
    world.finish();
    const { rest } = this.#short();
    if (!rest) return;
    expect(rest).toMatchObject({ person: expect.stringContaining('pay the rest back at the provider') });
    // A person does.
    world.giveBack(INTENT, missing(world.state(refund, BOOKING), world.refunds));
    world.finish();
    expect(this.#short().rest).toBeUndefined();
  }

  #short(): { readonly rest: unknown } {
    const rest = this.world.payout(BOOKING, { task: 'pay' }).run();
    return { rest: rest === 'done' ? undefined : rest };
  }
}

const what = fc.oneof(
  { weight: 12, arbitrary: fc.constant('step') },
  { weight: 6, arbitrary: fc.constant('run') },
  { weight: 5, arbitrary: fc.constantFrom('pay', 'pay', 'follow') },
  { weight: 5, arbitrary: fc.constantFrom('become', 'end') },
  { weight: 3, arbitrary: fc.constantFrom('hand', 'dispute', 'down', 'stop', 'time') },
  { weight: 2, arbitrary: fc.constantFrom('approve', 'deny', 'reset') },
);
const happenings = fc.array(fc.tuple(what, fc.nat(999), fc.nat(12)), {
  minLength: 10,
  maxLength: 120,
  size: 'max',
});

it('a payout pays the whole refund and never too much, wherever it is stopped and whatever the provider does', () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(
      fc.constantFrom(0, 0, 300, 1000),
      fc.constantFrom(0, 0, 0, 500),
      happenings,
      (before, lost, all) => {
        const turmoil = new Turmoil(before, lost);
        const { world } = turmoil;
        for (const [name, n, m] of all) {
          turmoil.run(name, n, m);
          turmoil.others(name, n);
          turmoil.holdsAlways();
        }
        turmoil.runs = [];
        turmoil.end();
        turmoil.holdsAlways();
        const state = world.state(refund, BOOKING);
        const { phase, status, back } = world.told;
        expect(['succeeded', 'denied', 'requested']).toContain(phase);
        if (phase === 'succeeded') {
          expect(status).toBe('refunded');
          expect(state.refunded).toBe(state.amount);
          expect(missing(state, world.refunds)).toBeLessThanOrEqual(0);
          expect(back).toBeGreaterThanOrEqual(state.amount);
        }
        const kinds = [
          phase,
          state.attempt > 1 && 'again',
          state.byHand > 0 && 'by hand',
          lost > 0 && 'lost',
        ];
        for (const kind of kinds) if (kind) seen.set(kind, (seen.get(kind) ?? 0) + 1);
      },
    ),
    { numRuns: sweep(150, 3000) },
  );
  if (!isWhole) return;
  for (const kind of ['succeeded', 'denied', 'requested', 'again', 'by hand', 'lost'])
    expect([kind, (seen.get(kind) ?? 0) > 20]).toEqual([kind, true]);
});
