/** The newsletter's addresses, as superusers see them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { adminNewsletterCalls } from '#domain/contracts/newsletter.ts';
import type { NewsletterEvent } from '#domain/newsletter/events.ts';
import { erased } from '#domain/personal.ts';
import { type Member, type Site, startSite } from '#tests/kit/site.ts';

let site: Site;
let sue: Member;
beforeAll(async () => {
  site = await startSite();
  sue = await site.member('superuser', 'Sue');
});

const subscribe = async (email: string, source = 'landing_page') => {
  const answer = await sue.browser.post('/api/newsletter/subscribe', { email, source });
  expect(answer).toMatchObject({ status: 200 });
};
const all = (query = {}) => sue.browser.ask(adminNewsletterCalls.list, { query });
const emails = async (query = {}) => (await all(query)).map(({ email }) => email);
const readAll = (stream: string) => Array.fromAsync(site.foundation.log.readStream(stream));
const stats = () => sue.browser.ask(adminNewsletterCalls.stats);

describe('the newsletter’s addresses', () => {
  it('are listed, found, counted and exported', async () => {
    await subscribe('zoe@people.example');
    await subscribe('Abe@People.example', 'footer');
    expect(await emails({ sort: 'email' })).toEqual(['Abe@People.example', 'zoe@people.example']);
    expect(await all({ search: 'FOOT' })).toMatchObject([{ email: 'Abe@People.example', isActive: true }]);
    expect(await stats()).toEqual({ total: 2, active: 2, thisMonth: 2 });
    const { body, headers } = await sue.browser.get('/api/admin/newsletter/export-csv?search=abe');
    expect(body).toMatch(/^\uFEFFEmail,Source,Subscribed,Status\nAbe@People\.example,footer,[^,]+,Active\n$/);
    expect(headers.get('content-disposition')).toContain('newsletter-');
  });

  it('are erased by a superuser, and come back by themselves', async () => {
    await subscribe('cy@people.example');
    const id = (await all({ search: 'cy@' }))[0]?.id;
    const remove = (which = id) => sue.browser.call('DELETE', `/api/admin/newsletter/subscribers/${which}`);
    expect(await remove()).toMatchObject({ status: 200 });
    expect(await remove()).toMatchObject({ status: 200 });
    expect(await all({ search: 'cy@' })).toEqual([]);
    expect(await stats()).toMatchObject({ total: 2, active: 2 });
    const [written] = await readAll(`newsletter-${id}`);
    const [opened] = await site.foundation.codec.decode<NewsletterEvent>(written ? [written] : []);
    expect(opened?.event.data).toMatchObject({ email: erased });
    await subscribe('cy@people.example');
    expect(await emails({ search: 'cy@' })).toEqual(['cy@people.example']);
    expect(await remove('0'.repeat(64))).toMatchObject({ status: 404 });
  });

  it('go with their person', async () => {
    const dee = await site.member('user', 'Dee');
    await subscribe(dee.email);
    expect(await emails({ search: 'dee' })).toEqual([dee.email]);
    const erased = await sue.browser.call('DELETE', `/api/admin/users/${dee.id}/hard-delete`, {
      confirmPermanent: true,
    });
    expect(erased).toMatchObject({ status: 200 });
    expect(await emails({ search: 'dee' })).toEqual([]);
  });
});
