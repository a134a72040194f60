/** The newsletter's list over HTTP. */

import { beforeAll, describe, expect, it } from 'vitest';
import { changeSetting } from '#command-api/catalogue/settings.ts';
import { newsletterCalls } from '#domain/contracts/newsletter.ts';
import { newsletter } from '#domain/newsletter/newsletter.ts';
import { type StandingApi, startCommandApi } from '#tests/kit/site.ts';

let site: StandingApi;
beforeAll(async () => {
  site = await startCommandApi();
});

const subscribe = (email: string, source?: string) =>
  site.visitor().call('POST', '/api/newsletter/subscribe', { email, ...(source ? { source } : {}) });
const unsubscribe = (email: string) => site.visitor().call('POST', '/api/newsletter/unsubscribe', { email });

const FORM = 'application/x-www-form-urlencoded';
const ONE_CLICK = 'List-Unsubscribe=One-Click';
const tokenOf = (email: string): string =>
  new URL(site.deps.unsubscribeLinks.linkOf(site.deps.emailId(email))).searchParams.get('token') ?? '';
/** As a mail provider does it: without cookies, all from one address. */
const press = (token: string, body = ONE_CLICK, type = FORM, more = '') =>
  site.app.inject({
    method: 'POST',
    url: `${newsletterCalls.unsubscribeByLink.path}?token=${token}${more}`,
    remoteAddress: '203.0.113.8',
    headers: { 'content-type': type, 'user-agent': 'Mail' },
    payload: body,
  });
const isSubscribed = async (email: string): Promise<boolean> =>
  (await site.deps.handler.state(newsletter, site.deps.emailId(email))).state.subscribed;

describe('the newsletter', () => {
  it('subscribes an address once, however it is written, and says if it was subscribed already', async () => {
    const first = await subscribe('Zoe@People.example', 'landing_page');
    expect(first.body).toMatchObject({ isNewSubscription: true });
    expect(first.headers.get('x-log-position')).toContain(site.deps.log.id);
    const again = await subscribe('zoe@people.example', 'home_page_main');
    expect(again.body).toEqual({ message: expect.stringContaining('already'), isNewSubscription: false });
  });

  it('unsubscribes any address, and subscribes it again', async () => {
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

  it('accepts five subscriptions an hour from a browser', async () => {
    const browser = site.visitor();
    const body = { email: 'often@people.example' };
    for (let n = 0; n < 5; n++)
      expect((await browser.call('POST', '/api/newsletter/unsubscribe', body)).status).toBe(200);
    const refused = await browser.call('POST', '/api/newsletter/unsubscribe', body);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('unsubscribes an address by its signed link, repeatedly, and by the same link after a new subscription', async () => {
    const email = 'lou@people.example';
    await subscribe(email);
    const token = tokenOf(email);
    expect(token).not.toContain('lou');
    for (let n = 0; n < 2; n++) {
      const reply = await press(token);
      expect([reply.statusCode, reply.headers['set-cookie']]).toEqual([200, undefined]);
      expect(await isSubscribed(email)).toBe(false);
    }
    await subscribe(email);
    const part = 'Content-Disposition: form-data; name="List-Unsubscribe"';
    const body = `--b\r\n${part}\r\n\r\nOne-Click\r\n--b--\r\n`;
    const again = await press(token, body, 'multipart/form-data; boundary=b', '&utm_source=mail');
    expect(again.statusCode).toBe(200);
    expect(await isSubscribed(email)).toBe(false);
  });

  it('answers the link of an erased or unknown person like any other', async () => {
    const { acting, deps } = site;
    await subscribe('gone@people.example');
    const subscription = deps.emailId('gone@people.example');
    await acting().do(newsletter, subscription, { type: 'Erase', subscription });
    const [left, erased, unknown] = await Promise.all(
      ['lou@people.example', 'gone@people.example', 'never@people.example'].map((email) =>
        press(tokenOf(email)),
      ),
    );
    for (const reply of [erased, unknown])
      expect([reply?.statusCode, reply?.json()]).toEqual([200, left?.json()]);
  });

  it('refuses a forged, truncated or foreign link, and one that was not confirmed', async () => {
    const email = 'moe@people.example';
    await subscribe(email);
    const token = tokenOf(email);
    const [id = '', signature = ''] = token.split('.');
    const [, foreign = ''] = tokenOf('lou@people.example').split('.');
    const wrong = [
      id,
      `${id}.`,
      token.slice(0, -1),
      `${token}.x`,
      `${token}x`,
      `${id}.${foreign}`,
      `.${signature}`,
    ];
    for (const one of wrong) {
      const reply = await press(one);
      expect([reply.statusCode, reply.json().code], one).toEqual([400, 'TOKEN_INVALID']);
    }
    for (const body of ['', 'List-Unsubscribe=', 'a=b', '[]'])
      for (const type of [FORM, 'multipart/form-data; boundary=b', 'application/json'])
        expect((await press(token, body, type)).statusCode, `${type} ${body}`).toBe(400);
    expect((await press('')).statusCode).toBe(400);
    expect((await press(token, ONE_CLICK, 'text/plain')).statusCode).toBe(415);
    expect(await isSubscribed(email)).toBe(true);
  });

  it('does not limit the clicks of a mail provider', async () => {
    const token = tokenOf('lou@people.example');
    for (let n = 0; n < 60; n++) expect((await press(token)).statusCode).toBe(200);
  });

  it('accepts no subscriptions while it is switched off, but unsubscriptions', async () => {
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
