import { expect, test } from 'vitest';
import { REFUND_POLICY } from '#domain/kernel/policy.ts';
import { faq, searchFaq } from './faq.ts';

test('questions are found by their text and by their answer', () => {
  expect(searchFaq('  DATE OF BIRTH ').flatMap((section) => section.questions)).toHaveLength(1);
  expect(searchFaq('sterling')).toHaveLength(1);
  expect(searchFaq('zebra')).toEqual([]);
  expect(searchFaq(' ')).toBe(faq);
});

test.each([
  ['where are my tickets', 'Where is my ticket?'],
  ['paid but no ticket', 'I paid, but the page broke. Is my money gone?'],
  ['Card declined', 'My card was refused. Have I paid?'],
  ['lost phone', 'Where is my ticket?'],
])('“%s” finds “%s”', (search, question) => {
  expect(searchFaq(search).flatMap(({ questions }) => questions)).toContainEqual(
    expect.objectContaining({ question }),
  );
});

test('the help states the refund rule in force', () => {
  const text = JSON.stringify(faq);
  for (const step of REFUND_POLICY) {
    expect(text).toContain(`${step.hours} hours`);
    expect(text).toContain(`${step.percent}%`);
  }
});

test('the help describes payments as specified', () => {
  const text = JSON.stringify(faq);
  expect(text).toContain('generally available up to 24 hours before the event');
  expect(text).toContain('appear on your statement within 1-2 business days');
});

test('the help promises no more secrecy of the date of birth than there is', () => {
  const [asked] = searchFaq('date of birth').flatMap(({ questions }) => questions);
  expect(asked?.answer).toContain('those who run the site');
});
