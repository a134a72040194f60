/** Logs keep events that earlier versions of the program wrote. Today's program must read all of them. */
import { describe, expect, it } from 'vitest';
import { allEvents } from '#domain/all-events.ts';
import { checkout } from '#domain/checkout/checkout.ts';
import type { CheckoutEvent } from '#domain/checkout/events.ts';
import type { EventSchemas } from '#domain/kernel/event.ts';
import type { ListingEvent } from '#domain/listing/events.ts';
import { extrasOf } from '#domain/listing/extras.ts';
import { listing } from '#domain/listing/listing.ts';
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

  it('of CheckoutOpened 1 get a start time that no listing has', async () => {
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

  it('of RefundDenied 1 and RefundApproved 1 keep their plain notes and have no customer', async () => {
    const denied = { bookingId: 12, reason: 'The doors were open', by: 'superuser' };
    expect((await read('RefundDenied', 1, denied)).data).toEqual({ ...denied, userId: '' });
    const approved = { bookingId: 12, amount: 100, notes: 'As asked', by: 'superuser' };
    expect((await read('RefundApproved', 1, approved)).data).toEqual({ ...approved, userId: '' });
  });

  it('of UseReleased 1 count as the release of a reserved use', async () => {
    const data = { promotionId: 3, attempt: 'a' };
    expect(await read('UseReleased', 1, data)).toEqual({
      type: 'UseReleased',
      data: { ...data, reserved: true },
    });
  });

  describe('extras of ListingCreated 1 and ListingEdited 1', () => {
    const details = {
      ...{ title: 'Night Ferry', description: '<p>Four voices.</p>', category: 'concerts', cityId: 1 },
      ...{ venueId: 2, location: '1 Quay Street', price: 2_850, imageUrl: null, tags: ['folk'] },
    };
    const schedule = { date: '2026-12-04', time: '19:30', zone: 'Europe/London' };
    const created = {
      ...{ listingId: 7, ...details, ...schedule },
      ...{ startsAt: '2026-12-04T19:30:00.000Z', featured: false },
    };
    const facts = { doors: '18:30', end: '22:00', access: 'A lift at the back', organiser: 'Night Ferry' };
    const none = { doors: null, end: null, access: null, organiser: null };

    it.each([
      ['all of them', { minimumAge: 18, facts }, { minimumAge: 18, ...facts }],
      ['none of them', { minimumAge: null, facts: none }, { minimumAge: null, ...none }],
      ['a minimum age before there were facts', { minimumAge: 16 }, { minimumAge: 16, ...none }],
      ['neither', {}, { minimumAge: null, ...none }],
    ])('are read with %s', async (_, stored, extras) => {
      for (const [type, data] of [
        ['ListingCreated', created],
        ['ListingEdited', { listingId: 7, ...details }],
      ] as const)
        expect(await read(type, 1, { ...data, ...stored })).toEqual({ type, data: { ...data, extras } });
    });

    it('are cleared by an edit that omits them', async () => {
      const made = await read('ListingCreated', 1, { ...created, minimumAge: 18, facts });
      const edited = await read('ListingEdited', 1, { listingId: 7, ...details });
      const { details: now } = fold(listing, [made, edited] as ListingEvent[]);
      expect(now?.extras).toEqual(extrasOf());
    });
  });
});
