/** The newsletter's addresses, as superusers see them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { adminNewsletterCalls } from '#domain/contracts/newsletter.ts';
import { erased } from '#domain/kernel/personal.ts';
import type { NewsletterEvent } from '#domain/newsletter/events.ts';
import { BASE_URL, type Member, type Site, startSite } from '#tests/kit/site.ts';

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

describe('newsletter subscribers', () => {
  it('are listed, searched, counted and exported', async () => {
    await subscribe('zoe@people.example');
    await subscribe('Abe@People.example', 'footer');
    expect(await emails({ sort: 'email' })).toEqual(['Abe@People.example', 'zoe@people.example']);
    expect(await all({ search: 'FOOT' })).toMatchObject([{ email: 'Abe@People.example', isActive: true }]);
    expect(await stats()).toEqual({ total: 2, active: 2, thisMonth: 2 });
    const { body, headers } = await sue.browser.get('/api/admin/newsletter/export-csv?search=abe');
    expect(body).toMatch(
      /^\uFEFFEmail,Source,Subscribed,Status,Unsubscribe link\nAbe@People\.example,footer,[^,]+,Active,http[^,]+\n$/,
    );
    expect(headers.get('content-disposition')).toContain('newsletter-');
  });

  it('can leave by the exported link, with one click of a mail program and without cookies', async () => {
    const linkOf = async (name: string): Promise<string> => {
      const { body } = await sue.browser.get(`/api/admin/newsletter/export-csv?search=${name}`);
      return body.trim().split('\n').at(-1).split(',').at(-1);
    };
    const link = await linkOf('zoe@');
    expect(link.startsWith(`${BASE_URL}/newsletter-unsubscribe?token=`)).toBe(true);
    const url = link.slice(BASE_URL.length);
    for (const method of ['GET', 'HEAD'] as const) await site.app.inject({ method, url });
    await site.caughtUp();
    expect(await all({ search: 'zoe@' })).toMatchObject([{ isActive: true }]);
    for (let n = 0; n < 2; n++) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const payload = 'List-Unsubscribe=One-Click';
      const reply = await site.app.inject({ method: 'POST', url, headers, payload });
      expect(reply.statusCode).toBe(200);
      await site.caughtUp();
      expect(await all({ search: 'zoe@' })).toMatchObject([{ isActive: false }]);
    }
    expect(await linkOf('zoe@')).toBe('');
    await subscribe('zoe@people.example');
    expect(await linkOf('zoe@')).toBe(link);
  });

  it('are erased by a superuser, and can subscribe again', async () => {
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

  it('are erased with their person', async () => {
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
