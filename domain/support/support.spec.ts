import { expect, it } from 'vitest';
import { given } from '#tests/kit/given-when-then.ts';
import { type SupportEvent, supportEvents } from './events.ts';
import { support } from './support.ts';

const data = {
  supportId: 7,
  accountId: null,
  category: 'booking',
  name: 'Ada',
  email: 'ada@example.com',
  subject: 'My seat',
  message: 'Where is it?',
  booking: 'BK1',
};
const received: SupportEvent = { type: 'SupportMessageReceived', data };

it('records a message once', () => {
  given(support, [])
    .when({ type: 'ReceiveMessage', ...data })
    .then([received]);
  given(support, [received])
    .when({ type: 'ReceiveMessage', ...data })
    .thenNothing();
});

it('seals what names the writer with their key, or with a key of its own if nobody was signed in', () => {
  const { sealed, person } = supportEvents.SupportMessageReceived;
  expect(sealed).toEqual(['name', 'email', 'subject', 'message', 'booking']);
  expect(person?.(data)).toBe('support-7');
  expect(person?.({ ...data, accountId: 'ada' })).toBe('ada');
});
