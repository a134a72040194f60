import { describe, expect, it } from 'vitest';
import { fold } from '#tests/kit/fold.ts';
import { given } from '#tests/kit/given-when-then.ts';
import { dispute, isMoneyGone, standing } from './dispute.ts';
import type { DisputeEvent } from './events.ts';

const facts = {
  bookingId: 12,
  userId: 'ann',
  listingId: 7,
  intentId: 'pi_1',
  disputeId: 'dp_1',
  amount: 4_000,
  reason: 'fraudulent',
  dueBy: '2026-12-20T00:00:00.000Z',
  openedAt: '2026-12-06T00:00:00.000Z',
};
const record = (status: 'open' | 'inquiry' | 'won' | 'lost') =>
  ({ type: 'RecordDispute', status, ...facts }) as const;
const opened: DisputeEvent = { type: 'DisputeOpened', data: facts };
const closed = (outcome: 'won' | 'lost'): DisputeEvent => ({
  type: 'DisputeClosed',
  data: { bookingId: 12, disputeId: 'dp_1', outcome },
});

describe('a dispute', () => {
  it('is recorded once, however often and in whatever order the provider reports it', () => {
    given(dispute, []).when(record('open')).then([opened]);
    given(dispute, [opened]).when(record('open')).thenNothing();
    given(dispute, [opened])
      .when(record('lost'))
      .then([closed('lost')]);
    given(dispute, [opened, closed('lost')])
      .when(record('lost'))
      .thenNothing();
    given(dispute, [opened, closed('lost')])
      .when(record('open'))
      .thenNothing();
    given(dispute, [])
      .when(record('won'))
      .then([opened, closed('won')]);
  });

  it('can be decided again by the bank', () => {
    given(dispute, [opened, closed('lost')])
      .when(record('won'))
      .then([closed('won')]);
  });

  it('of several has the status of the last one not won', () => {
    const other = { ...opened, data: { ...facts, disputeId: 'dp_2' } } as const;
    const stands = (...events: DisputeEvent[]) => standing(fold(dispute, events));
    expect([stands(), stands(opened), stands(opened, closed('lost')), stands(opened, closed('won'))]).toEqual(
      [null, 'open', 'lost', 'won'],
    );
    expect(stands(opened, closed('won'), other)).toBe('open');
    expect(stands(other, opened, closed('won'))).toBe('open');
  });

  it('counts the money as gone until the dispute is won', () => {
    const gone = (...events: DisputeEvent[]) => isMoneyGone(fold(dispute, events));
    expect([gone(), gone(opened), gone(opened, closed('lost')), gone(opened, closed('won'))]).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('that is an inquiry takes no money until it becomes a dispute', () => {
    const asked: DisputeEvent = { type: 'DisputeOpened', data: { ...facts, inquiry: true } };
    given(dispute, []).when(record('inquiry')).then([asked]);
    given(dispute, [asked]).when(record('inquiry')).thenNothing();
    given(dispute, [asked]).when(record('open')).then([opened]);
    given(dispute, [asked, opened]).when(record('inquiry')).thenNothing();
    given(dispute, [asked])
      .when(record('won'))
      .then([closed('won')]);
    const stands = (...events: DisputeEvent[]) => {
      const state = fold(dispute, events);
      return [standing(state), isMoneyGone(state)];
    };
    expect(stands(asked)).toEqual([null, false]);
    expect(stands(asked, opened)).toEqual(['open', true]);
    expect(stands(asked, closed('won'))).toEqual(['won', false]);
  });
});
