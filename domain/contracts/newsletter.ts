import * as z from 'zod/mini';
import { call } from './call.ts';
import { listQuery, said } from './envelope.ts';
import { blankable, exact, LONGEST, looseEmail, oneLine } from './fields.ts';

/** `source` says where on the site somebody subscribed, such as `home_page_main`. */
export const subscribeRequest = z.strictObject({
  email: looseEmail(),
  source: z.pipe(
    z.nullish(blankable(LONGEST.name).check(oneLine())),
    z.transform((source) => source || 'website'),
  ),
});

export const subscribed = z.object({ message: z.string(), isNewSubscription: z.boolean() });

export const unsubscribeRequest = z.strictObject({ email: looseEmail() });

/** The signed part of a newsletter's link, which names the subscription. Whatever else a mailing tool adds to the link is ignored. */
export const unsubscribeLink = z.object({
  token: exact(LONGEST.token, 1, 'The link is incomplete'),
});

/** What a mail program sends when its own button "Unsubscribe" is pressed (RFC 8058). */
export const oneClick = z.object({ 'List-Unsubscribe': z.literal('One-Click') });

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
  /**
   * Unsubscribes whom a newsletter's signed link names, at the link's very address: mail providers send it when their own button is
   * pressed, and the page that the link opens does too. GET shows that page and changes nothing, since programs that look through mail
   * open links. It succeeds also for those who have left, or were erased. The signature decides, not who calls: a provider sends the
   * clicks of all its people from a few addresses, so that no visitor's limit counts them.
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

/** An address in the superusers' list. */
export const subscriber = z.object({
  id: z.string(),
  email: z.string(),
  source: z.string(),
  /** The last time. */
  subscribedAt: z.string(),
  isActive: z.boolean(),
});
export type Subscriber = z.infer<typeof subscriber>;

/** `total` counts those that have unsubscribed too; `thisMonth` those who subscribed in this month of London's. */
export const newsletterStats = z.object({ total: z.int(), active: z.int(), thisMonth: z.int() });

const subscribers = listQuery(['email', 'source', 'subscribed'], {
  status: z.optional(z.enum(['active', 'unsubscribed'])),
});
const administer = { capability: 'administer' } as const;
const changing = { ...administer, limit: 'administration' } as const;

/** The calls of `/api/admin/newsletter`. */
export const adminNewsletterCalls = {
  stats: call('GET /api/admin/newsletter/stats', { answer: newsletterStats, ...administer }),
  /** The latest first where no order is asked for. The search looks at address and source. */
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
  /** Unsubscribes the address. */
  remove: call('DELETE /api/admin/newsletter/subscribers/{id}', {
    params: z.object({ id: z.string().check(z.regex(/^[0-9a-f]{64}$/, 'No such subscriber')) }),
    answer: said(),
    ...changing,
  }),
};
