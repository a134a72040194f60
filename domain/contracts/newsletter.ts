import * as z from 'zod/mini';
import { call } from './call.ts';
import { listQuery, said } from './envelope.ts';
import { blankable, exact, LONGEST, looseEmail, oneLine } from './fields.ts';

export const subscribeRequest = z.strictObject({
  email: looseEmail(),
  source: z.pipe(
    z.nullish(blankable(LONGEST.name).check(oneLine())),
    z.transform((source) => source || 'website'),
  ),
});

export const subscribed = z.object({ message: z.string(), isNewSubscription: z.boolean() });

export const unsubscribeRequest = z.strictObject({ email: looseEmail() });

export const unsubscribeLink = z.object({
  token: exact(LONGEST.token, 1, 'The link is incomplete'),
});

/** One-click unsubscribe (RFC 8058). */
export const oneClick = z.object({ 'List-Unsubscribe': z.literal('One-Click') });

const contact = { capability: 'contact', limit: 'newsletter' } as const;

/** Answers reveal nothing about accounts. */
export const newsletterCalls = {
  subscribe: call('POST /api/newsletter/subscribe', {
    body: subscribeRequest,
    answer: subscribed,
    ...contact,
  }),
  unsubscribe: call('POST /api/newsletter/unsubscribe', {
    body: unsubscribeRequest,
    answer: said(),
    ...contact,
  }),
  /**
   * Mail scanners open links, so GET only shows a page. Also succeeds for unsubscribed and erased addresses.
   * No limit for visitors: providers send all their users' clicks from few addresses.
   */
  unsubscribeByLink: call('POST /newsletter-unsubscribe', {
    query: unsubscribeLink,
    body: oneClick,
    answer: said(),
    capability: 'contact',
    csrf: 'exempt',
    session: 'ignored',
    form: true,
  }),
};

export const subscriber = z.object({
  id: z.string(),
  email: z.string(),
  source: z.string(),
  subscribedAt: z.string(),
  isActive: z.boolean(),
});
export type Subscriber = z.infer<typeof subscriber>;

/** `total` is with unsubscribed addresses, `thisMonth` London's month. */
export const newsletterStats = z.object({ total: z.int(), active: z.int(), thisMonth: z.int() });

const subscribers = listQuery(['email', 'source', 'subscribed'], {
  status: z.optional(z.enum(['active', 'unsubscribed'])),
});
const administer = { capability: 'administer' } as const;
const changing = { ...administer, limit: 'administration' } as const;

export const adminNewsletterCalls = {
  stats: call('GET /api/admin/newsletter/stats', { answer: newsletterStats, ...administer }),
  list: call('GET /api/admin/newsletter/subscribers', {
    query: subscribers,
    answer: z.array(subscriber),
    ...administer,
  }),
  exportCsv: call('GET /api/admin/newsletter/export-csv', {
    query: subscribers,
    answer: 'text/csv',
    limit: 'export',
    ...administer,
  }),
  remove: call('DELETE /api/admin/newsletter/subscribers/{id}', {
    params: z.object({ id: z.string().check(z.regex(/^[0-9a-f]{64}$/, 'No such subscriber')) }),
    answer: said(),
    ...changing,
  }),
};
