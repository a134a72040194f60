import { describe, expect, it } from 'vitest';
import { type AnyEvent, allEvents } from '#domain/all-events.ts';
import { logTypesOf, messageOf, webhookTypeOf } from '#domain/answers/webhook-message.ts';
import { given } from '#tests/kit/given-when-then.ts';
import { HOOK_TYPES, type WebhookFacts, type WebhookType } from './events.ts';
import { hook } from './webhook.ts';

const facts: WebhookFacts = {
  hookId: 1,
  url: 'https://box-office.example/in',
  description: 'Box office',
  types: ['booking.placed'],
  isActive: true,
};
const added = { type: 'HookAdded', data: facts } as const;
const AT = '2026-03-01T12:00:00.000Z';

it('a webhook with an unknown type from a newer program still receives the known types', () => {
  expect(logTypesOf(['seat.upgraded' as WebhookType, 'event.deleted'])).toEqual(['ListingArchived']);
});

describe('a webhook', () => {
  it('is added, edited, given a new secret and removed, each once', () => {
    given(hook, [])
      .when({ type: 'AddHook', ...facts })
      .then([added]);
    given(hook, [added])
      .when({ type: 'AddHook', ...facts })
      .thenNothing();
    given(hook, [added])
      .when({ type: 'EditHook', ...facts })
      .thenNothing();
    const edited = { ...facts, types: ['event.created'] } as const;
    given(hook, [added])
      .when({ type: 'EditHook', ...edited })
      .then([{ type: 'HookEdited', data: edited }]);
    given(hook, [added])
      .when({ type: 'RenewSecret', hookId: 1 })
      .then([{ type: 'HookSecretRenewed', data: { hookId: 1 } }]);
    const removal = given(hook, [added]).when({ type: 'RemoveHook', hookId: 1 });
    removal.then([{ type: 'HookRemoved', data: { hookId: 1 } }]);
    expect(removal.state.size).toBe(0);
    for (const type of ['EditHook', 'RenewSecret', 'RemoveHook'] as const)
      given(hook, [])
        .when({ ...facts, type })
        .thenRejected('NOT_FOUND');
  });

  it('is stopped once, and started again by an edit', () => {
    const stop = { type: 'StopHook', hookId: 1, why: 'failing' } as const;
    const stopped = { type: 'HookStopped', data: { hookId: 1, why: 'failing' } } as const;
    const after = given(hook, [added]).when(stop);
    after.then([stopped]);
    expect(after.state.get(1)).toMatchObject({ isActive: false, stopped: 'failing' });
    given(hook, [added, stopped]).when(stop).thenNothing();
    const started = given(hook, [added, stopped]).when({ type: 'EditHook', ...facts });
    expect(started.state.get(1)).toMatchObject({ isActive: true, stopped: null });
  });
});

describe('a webhook’s message', () => {
  it('has the field names of the API, with money as decimals', () => {
    const data = { bookingId: 7, userId: 'u', listingId: 3, amount: 4_560 };
    const event = { type: 'BookingRefunded', data } as AnyEvent;
    expect(JSON.parse(messageOf('booking.refunded', event, AT))).toEqual({
      ...{ type: 'booking.refunded', timestamp: AT },
      data: { bookingId: 7, eventId: 3, refundAmount: '45.60' },
    });
  });

  it.each(HOOK_TYPES)('%s holds no personal data and comes from one type of event', (type) => {
    const [of = ''] = logTypesOf([type]);
    expect(webhookTypeOf(of)).toBe(type);
    const personal = Object.fromEntries((allEvents[of]?.sealed ?? []).map((field) => [field, 'Ann Ashby']));
    const data = { quote: { quantity: 1, total: 1 }, from: {}, userId: 'Ann Ashby', by: { id: 'Ann Ashby' } };
    const by = of === 'BookingCancelled' ? { by: 'customer' } : {};
    const event = { type: of, data: { ...data, price: 1, amount: 1, refund: 1, ...by, ...personal } };
    expect(messageOf(type, event as unknown as AnyEvent, AT)).not.toContain('Ann Ashby');
  });
});
