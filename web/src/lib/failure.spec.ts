import { expect, test } from 'vitest';
import { ApiError, failureOf, NoAnswer } from './failure.ts';
import { sayFailure } from './formatters/failure.ts';

const ours = (status: number, code: string) => new ApiError(status, JSON.stringify({ code, message: 'No.' }));

test.each([
  ['a refusal', ours(409, 'SOLD_OUT'), 'refused'],
  // The specification knows only the message, and has texts for where there is none.
  ['a refusal without a code', new ApiError(400, '{"message":"No."}'), 'refused'],
  ['a refusal without words', new ApiError(401, '{}'), 'refused'],
  ['a failure without a code', new ApiError(500, '{"message":"No."}'), 'unknown'],
  ['a server that wrote nothing because it is busy', ours(503, 'BUSY'), 'refused'],
  ['a wait that was given up, whoever says so', new ApiError(408, '{"message":"Late."}'), 'unknown'],
  ['a server that failed half-way', ours(500, 'INTERNAL'), 'unknown'],
  ['a server without its provider', ours(503, 'UNAVAILABLE'), 'unknown'],
  ['a proxy that waited in vain', new ApiError(504, '<html>'), 'unknown'],
  ['a page of a proxy, whatever its status', new ApiError(403, '<html>'), 'unknown'],
  ['a lost answer', new NoAnswer(true, new TypeError('Failed to fetch')), 'unknown'],
  ['no connection at all', new NoAnswer(false, new TypeError('Failed to fetch')), 'not-sent'],
  ['a fault of the page itself', new Error('Oops'), 'unknown'],
] as const)('a failure is classified: %s', (_, error, failure) => expect(failureOf(error)).toBe(failure));

test('only a refusal is shown in the server’s words, and only an unsent call is reported as unsent', () => {
  expect(sayFailure(ours(409, 'SOLD_OUT'))).toBe('No.');
  expect(sayFailure(new ApiError(400, '{"message":"No."}'))).toBe('No.');
  expect(sayFailure(new ApiError(401, '{}'), undefined, 'Invalid')).toBe('Invalid');
  expect(sayFailure(new ApiError(502, '<html>'))).toMatch(/may have been done or not/);
  expect(sayFailure(new ApiError(502, '<html>'), 'Who knows?')).toBe('Who knows?');
  expect(sayFailure(new NoAnswer(false, undefined))).toMatch(/nothing was sent/);
});
