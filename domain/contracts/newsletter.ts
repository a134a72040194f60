import * as z from 'zod/mini';
import { LONGEST, looseEmail, text } from './fields.ts';

/** `/api/newsletter/*` */

/** `POST /api/newsletter/subscribe`; `source`: `home_page_main`, `landing_page`, or a component's own. */
export const subscribeRequest = z.strictObject({
  email: looseEmail(),
  source: z._default(z.optional(text(LONGEST.name)), 'website'),
});
export type SubscribeRequest = z.input<typeof subscribeRequest>;

export const subscribed = z.object({ message: z.string(), isNewSubscription: z.boolean() });
export type Subscribed = z.infer<typeof subscribed>;

/** `POST /api/newsletter/unsubscribe`; an unknown address is fine. */
export const unsubscribeRequest = z.strictObject({ email: looseEmail() });
export type UnsubscribeRequest = z.infer<typeof unsubscribeRequest>;
