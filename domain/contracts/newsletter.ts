import * as z from 'zod/mini';
import { call } from './call.ts';
import { said } from './envelope.ts';
import { LONGEST, looseEmail, text } from './fields.ts';

/** `source` says where on the site somebody subscribed, such as `home_page_main`. */
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

/** The calls of the newsletter, for any address. The answers say nothing about accounts. */
export const newsletterCalls = {
  subscribe: call('POST /api/newsletter/subscribe', {
    body: subscribeRequest,
    answer: subscribed,
    ...contact,
  }),
  /** Succeeds for an unknown address too. */
  unsubscribe: call('POST /api/newsletter/unsubscribe', {
    body: unsubscribeRequest,
    answer: said(),
    ...contact,
  }),
};
