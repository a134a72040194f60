/** Messages to support over HTTP, and the mails that bring them to somebody. */

import { beforeAll, describe, expect, it } from 'vitest';
import { changeSetting } from '#command-api/catalogue/settings.ts';
import { mailTo } from '#tests/kit/mails.ts';
import { type Site, type StandingApi, startCommandApi, startSite } from '#tests/kit/site.ts';

let site: StandingApi;
beforeAll(async () => {
  site = await startCommandApi();
});

const message = { name: 'Zoë', email: 'zoe@people.example', category: 'booking', bookingId: 'BK12345678' };

it('a support message is sealed in the log and mailed, and reported if the site has no contact address', async () => {
  const reply = await site
    .visitor()
    .call('POST', '/api/contact-support', { ...message, message: 'Where is my seat?' });
  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject({ fallback: true });
  const kept = [];
  for await (const { events } of site.deps.log.readAll('', { filter: { streamPrefixes: ['support-'] } })) {
    kept.push(...events);
  }
  expect(kept).toHaveLength(1);
  // Short words without a blank stand in sealed text by chance.
  expect(kept[0]?.data).not.toMatch(/zoe@|my seat|BK12345678/i);
  const [opened] = await site.deps.codec.decode(kept);
  expect(opened?.event.data).toMatchObject({ email: 'zoe@people.example', message: 'Where is my seat?' });
});

it.each([
  [{ name: '' }, 'Please fill in all required fields.'],
  [{ message: ' ' }, 'Please fill in all required fields.'],
  [{ category: 'praise' }, 'Not a category'],
])('a support message is refused with %j', async (wrong, says) => {
  const reply = await site
    .visitor()
    .call('POST', '/api/contact-support', { ...message, message: 'Hi', ...wrong });
  expect([reply.status, reply.body.message]).toEqual([400, says]);
});

describe('a support message', () => {
  let whole: Site;
  beforeAll(async () => {
    whole = await startSite();
    const contact = {
      key: 'contact_email',
      value: 'help@venue.example',
      description: '',
      category: 'general',
    };
    await changeSetting(contact, whole.acting());
  });

  it('is mailed to the site’s contact address, and a reply goes to the writer', async () => {
    const words = { subject: 'K 12', message: 'Hello!\n\nWhere is my seat?\nIt was <b>K 12</b>.' };
    const reply = await whole.visitor().post('/api/contact-support', { ...message, ...words });
    expect(reply).toMatchObject({ status: 200, body: { fallback: false } });
    const number = /\d+/.exec(reply.body.message)?.[0];
    const mail = await mailTo(whole.foundation.config, 'help@venue.example', /^Subject: K 12/m);
    expect(mail).toContain(`Subject: K 12 (message ${number})`);
    expect(mail).toMatch(/^Reply-To: .*<zoe@people\.example>\r$/m);
    expect(mail).toContain('Hello!\r\n\r\nWhere is my seat?\r\nIt was <b>K 12</b>.');
    expect(mail).toContain('It was &lt;b&gt;K 12&lt;/b&gt;.');
    expect(mail).toContain('About: A booking');
    expect(mail).toContain('Booking: BK12345678');
  });
});
