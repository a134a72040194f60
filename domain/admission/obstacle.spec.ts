import { describe, expect, it } from 'vitest';
import { obstacle } from './obstacle.ts';

const startsAt = '2026-12-01T20:00:00.000Z';
const evening = new Date(startsAt);
const daysLater = new Date('2026-12-04T20:00:00.000Z');
const ticket = { epoch: 1, expiresAt: Date.parse('2026-12-02T20:00:00.000Z') / 1000 };
const confirmed = { status: 'confirmed', epoch: 1, startsAt } as const;

describe('the obstacle to a genuine code', () => {
  it.each([
    ['of a confirmed booking', confirmed, evening, undefined],
    ['of a cancelled booking', { ...confirmed, status: 'cancelled' }, evening, 'TICKET_CANCELLED'],
    ['of a refunded booking', { ...confirmed, status: 'refunded' }, evening, 'TICKET_REFUNDED'],
    ['that a newer one replaced', { ...confirmed, epoch: 2 }, evening, 'TICKET_REISSUED'],
    ['of days ago', confirmed, daysLater, 'TICKET_EXPIRED'],
    [
      'of days ago, cancelled: the money is what people ask about',
      { ...confirmed, status: 'cancelled' },
      daysLater,
      'TICKET_CANCELLED',
    ],
  ] as const)('%s', (_, booked, now, why) => {
    expect(obstacle(ticket, booked, now)).toBe(why);
  });
});
