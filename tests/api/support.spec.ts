/** Messages to support over HTTP. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { supportCalls } from '#domain/contracts/support.ts';
import { answerOf } from '#tests/kit/answers.ts';
import { type Rig, startRig } from './rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

const message = { name: 'Zoë', email: 'zoe@people.example', category: 'booking', bookingId: 'BK12345678' };

it('keeps a message in the log, sealed, and says that a mail is welcome too', async () => {
  const reply = await rig
    .browser()
    .call('POST', '/api/contact-support', { ...message, message: 'Where is my seat?' });
  expect(reply.statusCode).toBe(200);
  expect(answerOf(supportCalls.contact, reply.json())).toMatchObject({ fallback: true });
  const kept = [];
  for await (const { events } of rig.deps.log.readAll('', { filter: { streamPrefixes: ['support-'] } })) {
    kept.push(...events);
  }
  expect(kept).toHaveLength(1);
  expect(kept[0]?.data).not.toMatch(/zoe@|seat|BK1234/i);
  const [opened] = await rig.deps.codec.decode(kept);
  expect(opened?.event.data).toMatchObject({ email: 'zoe@people.example', message: 'Where is my seat?' });
});

it.each([
  [{ name: '' }, 'Please fill in all required fields.'],
  [{ message: ' ' }, 'Please fill in all required fields.'],
  [{ category: 'praise' }, 'Not a category'],
])('refuses %j', async (wrong, says) => {
  const reply = await rig
    .browser()
    .call('POST', '/api/contact-support', { ...message, message: 'Hi', ...wrong });
  expect([reply.statusCode, reply.json().message]).toEqual([400, says]);
});
