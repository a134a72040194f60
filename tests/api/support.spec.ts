/** Messages to support over HTTP. */

import { beforeAll, expect, it } from 'vitest';
import { type StandingApi, startCommandApi } from '#tests/kit/site.ts';

let site: StandingApi;
beforeAll(async () => {
  site = await startCommandApi();
});

const message = { name: 'Zoë', email: 'zoe@people.example', category: 'booking', bookingId: 'BK12345678' };

it('keeps a message in the log, sealed, and says that a mail is welcome too', async () => {
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
])('refuses %j', async (wrong, says) => {
  const reply = await site
    .visitor()
    .call('POST', '/api/contact-support', { ...message, message: 'Hi', ...wrong });
  expect([reply.status, reply.body.message]).toEqual([400, says]);
});
