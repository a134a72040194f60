/** The newsletter's list over HTTP. */

import { beforeAll, describe, expect, it } from 'vitest';
import { changeSetting } from '#command-api/catalogue/settings.ts';
import { type StandingApi, startCommandApi } from '#tests/kit/site.ts';

let site: StandingApi;
beforeAll(async () => {
  site = await startCommandApi();
});

const subscribe = (email: string, source?: string) =>
  site.visitor().call('POST', '/api/newsletter/subscribe', { email, ...(source ? { source } : {}) });
const unsubscribe = (email: string) => site.visitor().call('POST', '/api/newsletter/unsubscribe', { email });

describe('the newsletter', () => {
  it('takes an address once, however it is written, and says that it was there already', async () => {
    const first = await subscribe('Zoe@People.example', 'landing_page');
    expect(first.body).toMatchObject({ isNewSubscription: true });
    expect(first.headers.get('x-log-position')).toContain(site.deps.log.id);
    const again = await subscribe('zoe@people.example', 'home_page_main');
    expect(again.body).toEqual({ message: expect.stringContaining('already'), isNewSubscription: false });
  });

  it('lets an address go, also one that it never had, and takes it anew', async () => {
    await subscribe('cy@people.example');
    for (const email of ['cy@people.example', 'cy@people.example', 'nobody@people.example']) {
      expect((await unsubscribe(email)).status).toBe(200);
    }
    expect((await subscribe('cy@people.example')).body).toMatchObject({ isNewSubscription: true });
  });

  it.each(['', ' ', 'nobody', '@', 'a b@c'])('refuses "%s"', async (email) => {
    for (const reply of [await subscribe(email), await unsubscribe(email)]) {
      expect(reply.status).toBe(400);
      expect(reply.body).toMatchObject({ fields: { email: 'Please enter a valid email address.' } });
    }
  });

  it('takes five an hour from a browser', async () => {
    const browser = site.visitor();
    const body = { email: 'often@people.example' };
    for (let n = 0; n < 5; n++)
      expect((await browser.call('POST', '/api/newsletter/unsubscribe', body)).status).toBe(200);
    const refused = await browser.call('POST', '/api/newsletter/unsubscribe', body);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('takes nobody while it is switched off, and still lets everybody go', async () => {
    const setting = {
      key: 'newsletter_enabled',
      value: 'false',
      description: '',
      category: 'general',
    } as const;
    await changeSetting(setting, site.acting());
    const refused = await subscribe('late@people.example');
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: 'NEWSLETTER_DISABLED' });
    expect((await unsubscribe('zoe@people.example')).status).toBe(200);
  });
});
