/** The newsletter's list over HTTP. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeSetting } from '#command-api/catalogue/settings.ts';
import { systemContext } from '#command-api/lane/lane.ts';
import { newsletterCalls } from '#domain/contracts/newsletter.ts';
import { answerOf } from '#tests/kit/answers.ts';
import { type Rig, startRig } from './rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

const subscribe = (email: string, source?: string) =>
  rig.browser().call('POST', '/api/newsletter/subscribe', { email, ...(source ? { source } : {}) });
const unsubscribe = (email: string) => rig.browser().call('POST', '/api/newsletter/unsubscribe', { email });

describe('the newsletter', () => {
  it('takes an address once, however it is written, and says that it was there already', async () => {
    const first = await subscribe('Zoe@People.example', 'landing_page');
    expect(answerOf(newsletterCalls.subscribe, first.json())).toMatchObject({
      isNewSubscription: true,
    });
    expect(first.headers['x-log-position']).toContain(rig.deps.log.id);
    const again = await subscribe('zoe@people.example', 'home_page_main');
    const told = answerOf(newsletterCalls.subscribe, again.json());
    expect(told).toEqual({ message: expect.stringContaining('already'), isNewSubscription: false });
  });

  it('lets an address go, also one that it never had, and takes it anew', async () => {
    await subscribe('cy@people.example');
    for (const email of ['cy@people.example', 'cy@people.example', 'nobody@people.example']) {
      const reply = await unsubscribe(email);
      expect(reply.statusCode).toBe(200);
      answerOf(newsletterCalls.unsubscribe, reply.json());
    }
    expect((await subscribe('cy@people.example')).json()).toMatchObject({ isNewSubscription: true });
  });

  it.each(['', ' ', 'nobody', '@', 'a b@c'])('refuses "%s"', async (email) => {
    for (const reply of [await subscribe(email), await unsubscribe(email)]) {
      expect(reply.statusCode).toBe(400);
      expect(reply.json()).toMatchObject({ fields: { email: 'Please enter a valid email address.' } });
    }
  });

  it('takes five an hour from a browser', async () => {
    const browser = rig.browser();
    const body = { email: 'often@people.example' };
    for (let n = 0; n < 5; n++)
      expect((await browser.call('POST', '/api/newsletter/unsubscribe', body)).statusCode).toBe(200);
    const refused = await browser.call('POST', '/api/newsletter/unsubscribe', body);
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('takes nobody while it is switched off, and still lets everybody go', async () => {
    const setting = {
      key: 'newsletter_enabled',
      value: 'false',
      description: '',
      category: 'general',
    } as const;
    await changeSetting(setting, rig.deps.lane.as(systemContext(rig.deps.clock)));
    const refused = await subscribe('late@people.example');
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({ code: 'NEWSLETTER_DISABLED' });
    expect((await unsubscribe('zoe@people.example')).statusCode).toBe(200);
  });
});
