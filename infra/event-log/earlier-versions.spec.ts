/** Logs keep events that earlier versions of the program wrote. Today's program must read all of them. */
import { describe, expect, it } from 'vitest';
import { allEvents } from '#domain/all-events.ts';
import { checkout } from '#domain/checkout/checkout.ts';
import type { CheckoutEvent } from '#domain/checkout/events.ts';
import type { EventSchemas } from '#domain/event.ts';
import { fold } from '#tests/kit/fold.ts';
import { createMemoryKeyStore } from '#tests/kit/memory-keys.ts';
import { createCodec } from './codec.ts';

const codec = createCodec(createMemoryKeyStore(), allEvents);
const meta =
  '{"actor":{"kind":"system"},"at":"2026-11-21T10:00:00.000Z","commandId":"c","correlationId":"r"}';

/** An event as it was stored, read by the program of today. */
const read = async (type: string, version: number, data: object) => {
  const stored = { id: 'e', type, version, data: JSON.stringify(data), meta };
  const place = { stream: 's', revision: 0, position: '1', recordedAt: '2026-11-21T10:00:00.000Z' };
  const [recorded] = await codec.decode([{ ...stored, ...place }]);
  if (!recorded) throw new Error('nothing was read');
  return recorded.event;
};

describe('events of earlier versions', () => {
  it('have an upcast from each version to the next', () => {
    const schemas: EventSchemas = allEvents;
    const gaps = Object.entries(schemas).flatMap(([type, { version, upcast = {} }]) =>
      Array.from({ length: version - 1 }, (_, n) => n + 1)
        .filter((from) => upcast[from] === undefined)
        .map((from) => `${type} ${from}`),
    );
    expect(gaps).toEqual([]);
  });

  it('CheckoutOpened 1 had no start time: it gets one that no listing has', async () => {
    const quote = { unitPrice: 100, quantity: 1, discount: 0, total: 100, currency: 'gbp', promotion: null };
    const ids = { attempt: 'a', bookingId: 1, reference: 'BK1', userId: 'ann', listingId: 7 };
    const data = { ...ids, quote, until: '2026-11-21T10:15:00.000Z' };
    const event = await read('CheckoutOpened', 1, data);
    expect(event).toEqual({
      type: 'CheckoutOpened',
      data: { ...data, startsAt: '1970-01-01T00:00:00.000Z' },
    });
    expect(fold(checkout, [event as CheckoutEvent]).attempts.get('a')).toMatchObject(ids);
  });

  it('RefundDenied 1 and RefundApproved 1 kept their words in the clear, and did not say whose refund it is', async () => {
    const denied = { bookingId: 12, reason: 'The doors were open', by: 'superuser' };
    expect((await read('RefundDenied', 1, denied)).data).toEqual({ ...denied, userId: '' });
    const approved = { bookingId: 12, amount: 100, notes: 'As asked', by: 'superuser' };
    expect((await read('RefundApproved', 1, approved)).data).toEqual({ ...approved, userId: '' });
  });

  it('UseReleased 1 counts as the release of a reserved use', async () => {
    const data = { promotionId: 3, attempt: 'a' };
    expect(await read('UseReleased', 1, data)).toEqual({
      type: 'UseReleased',
      data: { ...data, reserved: true },
    });
  });
});
