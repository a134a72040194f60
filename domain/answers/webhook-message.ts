import type { AnyEvent } from '#domain/all-events.ts';
import { lookup } from '#domain/kernel/lookup.ts';
import { toDecimal } from '#domain/kernel/money.ts';
import { HOOK_TYPES, type WebhookType } from '#domain/webhook/events.ts';

type DataOf<Type extends AnyEvent['type']> = Extract<AnyEvent, { type: Type }>['data'];

interface Told {
  readonly of: AnyEvent['type'];
  readonly data: (data: never) => object;
}

const told = <Type extends AnyEvent['type']>(of: Type, data: (data: DataOf<Type>) => object): Told => ({
  of,
  data,
});

const event = ({ listingId }: { listingId: number }) => ({ eventId: listingId });

const messages: Readonly<Record<WebhookType, Told>> = {
  'booking.placed': told('BookingPlaced', ({ bookingId, reference, quote, startsAt, ...rest }) => ({
    ...{ bookingId, reference, ...event(rest), startsAt, quantity: quote.quantity },
    totalAmount: toDecimal(quote.total),
  })),
  'booking.cancelled': told('BookingCancelled', ({ bookingId, quantity, by, refund, ...rest }) => ({
    ...{ bookingId, ...event(rest), quantity, by, refundAmount: toDecimal(refund) },
  })),
  'booking.reinstated': told('BookingReinstated', ({ bookingId, quantity, ...rest }) => ({
    ...{ bookingId, ...event(rest), quantity },
  })),
  'booking.refunded': told('BookingRefunded', ({ bookingId, amount, ...rest }) => ({
    ...{ bookingId, ...event(rest), refundAmount: toDecimal(amount) },
  })),
  'ticket.reissued': told('TicketReissued', ({ bookingId, ...rest }) => ({ bookingId, ...event(rest) })),
  'ticket.admitted': told('Admitted', ({ bookingId, quantity, gate, at, ...rest }) => ({
    ...{ bookingId, ...event(rest), quantity, gate, at },
  })),
  'ticket.refused': told('EntryRefused', ({ bookingId, why, gate, at, ...rest }) => ({
    ...{ bookingId, ...event(rest), why, gate, at },
  })),
  'ticket.undone': told('AdmissionUndone', ({ bookingId, quantity, scannedAt, at, ...rest }) => ({
    ...{ bookingId, ...event(rest), quantity, scannedAt, at },
  })),
  'event.created': told('ListingCreated', ({ title, category, price, startsAt, venueId, ...rest }) => ({
    ...{ ...event(rest), title, category, price: toDecimal(price), startsAt, venueId },
  })),
  'event.edited': told('ListingEdited', ({ title, category, price, venueId, ...rest }) => ({
    ...{ ...event(rest), title, category, price: toDecimal(price), venueId },
  })),
  'event.rescheduled': told('ListingRescheduled', ({ startsAt, zone, from, ...rest }) => ({
    ...{ ...event(rest), startsAt, zone, from: from.startsAt },
  })),
  'event.activated': told('ListingActivated', event),
  'event.deactivated': told('ListingDeactivated', event),
  'event.capacity_changed': told('CapacityChanged', ({ capacity, ...rest }) => ({
    ...event(rest),
    capacity,
  })),
  'event.sales_closed': told('SalesClosed', ({ why, ...rest }) => ({ ...event(rest), why })),
  'event.deleted': told('ListingArchived', event),
};

export const logTypesOf = (types: readonly WebhookType[]): readonly AnyEvent['type'][] =>
  types.flatMap((type) => lookup(messages, type)?.of ?? []);

export const webhookTypeOf = (type: string): WebhookType | undefined =>
  HOOK_TYPES.find((name) => messages[name].of === type);

/** The JSON body of a webhook (Standard Webhooks), without personal data. */
export const messageOf = (type: WebhookType, { data }: AnyEvent, at: string): string =>
  JSON.stringify({ type, timestamp: at, data: messages[type].data(data as never) });
