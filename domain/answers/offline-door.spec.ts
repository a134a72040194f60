import { describe, expect, it } from 'vitest';
import type { KeptEvent } from '#domain/contracts/tickets.ts';
import { decideOffline, type KeptScan } from './offline-door.ts';

const event: KeptEvent = {
  ...{ id: 1, title: 'Night Ferry', venue: 'The Hall', date: '2026-12-10', time: '19:00' },
  ...{ startsAt: '2026-12-10T19:00:00.000Z', zone: 'Europe/London' },
  tickets: [
    [10, 3, 1],
    [11, 1, 0],
    [12, 1, 0],
    [13, 2, 0],
    [14, 1, 0],
  ],
  cancelled: [11],
  refunded: [12],
  disputed: [14],
  entries: [{ bookingId: 13, page: 1, quantity: 2, at: '2026-12-10T18:30:00.000Z', gate: 'North' }],
};
const ticket = (bookingId: number, page = 1, more: object = {}) => ({
  ...{ bookingId, page, listingId: 1, quantity: 3, epoch: 1, expiresAt: 0 },
  ...more,
});
const scan = (page: number, admitted: number, more: object = {}): KeptScan => ({
  ...{ scanId: `scan ${page}`, token: 'x', bookingId: 10, page, admitted, why: null, gate: 'Yard' },
  ...{ at: Date.parse('2026-12-10T18:40:00Z'), sent: false },
  ...more,
});
const decide = (one: ReturnType<typeof ticket>, scans: readonly KeptScan[] = [], eventId?: number) =>
  decideOffline({ events: [event] }, scans, one, eventId);

describe('an offline gate', () => {
  it('admits a party once, or its members one by one', () => {
    expect(decide(ticket(10))).toMatchObject({ admitted: 3, why: null, quantity: 3, listed: true });
    expect(decide(ticket(10), [scan(1, 3)])).toMatchObject({
      ...{ admitted: 0, why: 'TICKET_USED' },
      first: { gate: 'Yard', at: '2026-12-10T18:40:00.000Z' },
    });
    expect(decide(ticket(10, 2), [scan(3, 1)])).toMatchObject({ admitted: 1 });
    expect(decide(ticket(10), [scan(3, 1)])).toMatchObject({ admitted: 2 });
    expect(decide(ticket(10), [scan(1, 0)])).toMatchObject({ admitted: 3 });
  });

  it('knows who was in when its list was made, and counts its own scans in that list once', () => {
    expect(decide(ticket(13))).toMatchObject({ why: 'TICKET_USED', first: { gate: 'North' } });
    const listed = { ...event, entries: [{ ...event.entries[0], bookingId: 10, page: 2, quantity: 1 }] };
    const sent = [scan(2, 1, { sent: true })];
    const events = [listed as KeptEvent];
    expect(decideOffline({ events }, sent, ticket(10), 1)).toMatchObject({ admitted: 2 });
  });

  it('refuses tickets that were cancelled, refunded, disputed or reissued when the list was made', () => {
    expect(decide(ticket(11))?.why).toBe('TICKET_CANCELLED');
    expect(decide(ticket(12))?.why).toBe('TICKET_REFUNDED');
    expect(decide(ticket(14))?.why).toBe('TICKET_DISPUTED');
    expect(decide(ticket(10, 1, { epoch: 0 }))?.why).toBe('TICKET_REISSUED');
  });

  it('refuses tickets for other events, and cannot check those that are not on its list', () => {
    expect(decide(ticket(10), [], 2)?.why).toBe('TICKET_WRONG_EVENT');
    expect(decide(ticket(10, 1, { listingId: 9 }), [], 1)?.why).toBe('TICKET_WRONG_EVENT');
    expect(decide(ticket(10, 1, { listingId: 9 }))).toBeUndefined();
    expect(decide(ticket(10), [], 1)?.admitted).toBe(3);
  });

  it('admits people who bought after the list was made', () => {
    expect(decide(ticket(99, 1, { quantity: 2 }))).toMatchObject({ admitted: 2, listed: false });
  });
});
