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

it('a support message is recorded once', () => {
  given(support, [])
    .when({ type: 'ReceiveMessage', ...data })
    .then([received]);
  given(support, [received])
    .when({ type: 'ReceiveMessage', ...data })
    .thenNothing();
});

it('a support message is sealed with the writer’s key, or with its own key if the writer was not signed in', () => {
  const { sealed, person } = supportEvents.SupportMessageReceived;
  expect(sealed).toEqual(['name', 'email', 'subject', 'message', 'booking']);
  expect(person?.(data)).toBe('support-7');
  expect(person?.({ ...data, accountId: 'ada' })).toBe('ada');
});
