import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { CannotStart, tellFailure } from './cannot-start.ts';

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

it.each<[string, () => Promise<unknown> | unknown, RegExp]>([
  ['our own refusals', () => new CannotStart('The well is dry.'), /^The well is dry\.$/],
  ['a file that is missing', () => failureOf(readFile('/no/such/file')), /^ENOENT: .*'\/no\/such\/file'$/],
  ['a file that can’t be read', () => failureOf(readFile(import.meta.dirname)), /^EISDIR: .*, read$/],
  [
    'a server that is not there',
    () => new Promise((refused) => connect(1, '127.0.0.1').on('error', refused)),
    /^connect ECONNREFUSED 127\.0\.0\.1:1$/,
  ],
  [
    'a database whose disk is full',
    () => Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' }),
    /^PostgreSQL: could not extend file: No space left on device$/,
  ],
])('a program that cannot start reports %s in one line', async (_, make, line) => {
  expect(tellFailure(await make())).toMatch(line);
});

it('a program that cannot start reports a defect with its stack', () => {
  expect(tellFailure(new TypeError('a defect'))).toMatch(/^TypeError: a defect\n {4}at /);
});
