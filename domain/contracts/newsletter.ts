import * as z from 'zod/mini';
import { call } from './call.ts';
import { said } from './envelope.ts';
import { LONGEST, looseEmail, text } from './fields.ts';

/** `source`: `home_page_main`, `landing_page`, or a component's own. */
export const subscribeRequest = z.strictObject({
  email: looseEmail(),
  source: z._default(z.optional(text(LONGEST.name)), 'website'),
});
export type SubscribeRequest = z.input<typeof subscribeRequest>;

export const subscribed = z.object({ message: z.string(), isNewSubscription: z.boolean() });
export type Subscribed = z.infer<typeof subscribed>;

export const unsubscribeRequest = z.strictObject({ email: looseEmail() });
export type UnsubscribeRequest = z.infer<typeof unsubscribeRequest>;

const contact = { capability: 'contact', limit: 'newsletter' } as const;

/** On and off the newsletter's list, for any address; the answers say nothing about accounts. */
export const newsletterCalls = {
  subscribe: call('POST /api/newsletter/subscribe', {
    body: subscribeRequest,
    answer: subscribed,
    ...contact,
  }),
  /** An unknown address is fine. */
  unsubscribe: call('POST /api/newsletter/unsubscribe', {
    body: unsubscribeRequest,
    answer: said(),
    ...contact,
  }),
};
