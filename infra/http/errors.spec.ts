import { describe, expect, it } from 'vitest';
import { UnknownEventType, WrittenByNewer } from '#infra/event-log/codec.ts';
import { toRefusal } from './errors.ts';

describe('toRefusal', () => {
  it.each([
    Object.assign(new Error('terminating connection'), { code: '57P01' }),
    Object.assign(new Error('the database system is starting up'), { code: '57P03' }),
    Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
    new Error('Connection terminated unexpectedly'),
    new Error('timeout exceeded when trying to connect'),
  ])('reports that the database is down: $message', (error) => {
    expect(toRefusal(error)).toMatchObject({ code: 'UNAVAILABLE', status: 503 });
  });

  it.each([new UnknownEventType('SeatUpgraded'), new WrittenByNewer('BookingPlaced version 2')])(
    'asks to retry if a newer program wrote an unreadable event: $message',
    (error) => expect(toRefusal(error)).toMatchObject({ code: 'UNAVAILABLE', status: 503 }),
  );

  it('reports our own defects as INTERNAL', () => {
    expect(toRefusal(new Error('no such thing'))).toMatchObject({ code: 'INTERNAL', status: 500 });
    expect(toRefusal(Object.assign(new Error('no such column'), { code: '42703' }))).toMatchObject({
      status: 500,
    });
  });
});
