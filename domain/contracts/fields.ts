import * as z from 'zod/mini';
import { fromDecimal, type Pence } from '#domain/money.ts';

/**
 * The fields that the calls' payloads are made of. Each carries the specification's message, so that a form in
 * the client and the server's check say the same. The helpers are marked free of side effects: what a page
 * doesn't use is left out of its bundle.
 */

/** The longest of each kind of text, in UTF-16 units. */
export const LONGEST = {
  email: 254,
  name: 100,
  title: 200,
  search: 100,
  reason: 1_000,
  message: 5_000,
  description: 50_000,
  password: 200,
  code: 50,
  url: 2_000,
  token: 2_000,
} as const;

/** The largest id that the database's integer columns take. */
const LARGEST_ID = 2_147_483_647;

/** £99,999.99: ten of them stay below the provider's largest charge. */
export const LARGEST_PRICE: Pence = 9_999_999;
export const LARGEST_CAPACITY = 1_000_000;

/** Neither NUL nor a lone surrogate: what PostgreSQL and JSON can both hold. */
const isStorable = (value: string): boolean => value.isWellFormed() && !value.includes('\0');

const UNSTORABLE = 'Contains characters that can’t be stored';
const tooLong = (max: number) => `Must be at most ${max.toLocaleString('en-GB')} characters`;

/** Trimmed text that may not be blank. `required` is what a person reads when it is missing. */
// @__NO_SIDE_EFFECTS__
export function text(max: number, required = 'Required') {
  return z
    .string(required)
    .check(
      z.trim(),
      z.minLength(1, required),
      z.maxLength(max, tooLong(max)),
      z.refine(isStorable, UNSTORABLE),
    );
}

/** Trimmed text that may be blank. */
// @__NO_SIDE_EFFECTS__
export function blankable(max: number) {
  return z
    .string('Must be text')
    .check(z.trim(), z.maxLength(max, tooLong(max)), z.refine(isStorable, UNSTORABLE));
}

/** Text kept to the letter, spaces included: passwords and tokens. */
// @__NO_SIDE_EFFECTS__
export function exact(max: number, min: number, tooShort: string) {
  return z
    .string(tooShort)
    .check(z.minLength(min, tooShort), z.maxLength(max, tooLong(max)), z.refine(isStorable, UNSTORABLE));
}

/** An address to sign in with: "Invalid email address". */
// @__NO_SIDE_EFFECTS__
export function email(message = 'Invalid email address') {
  return z
    .string(message)
    .check(
      z.trim(),
      z.maxLength(LONGEST.email, tooLong(LONGEST.email)),
      z.email({ error: message, abort: true }),
    );
}

/** What the newsletter takes for an address: something on both sides of one "@". */
// @__NO_SIDE_EFFECTS__
export function looseEmail() {
  const message = 'Please enter a valid email address.';
  return z
    .string(message)
    .check(
      z.trim(),
      z.maxLength(LONGEST.email, tooLong(LONGEST.email)),
      z.regex(/^[^\s@]+@[^\s@]+$/, message),
      z.refine(isStorable, UNSTORABLE),
    );
}

/** An id in a JSON body. */
// @__NO_SIDE_EFFECTS__
export function id(required = 'Required') {
  return z.int(required).check(z.positive(required), z.maximum(LARGEST_ID, 'No such id'));
}

/** An id in a path or a query, where everything is text. */
// @__NO_SIDE_EFFECTS__
export function idText() {
  return z.pipe(
    z.string().check(
      z.regex(/^\d{1,10}$/, 'Not an id'),
      z.refine((value) => Number(value) >= 1 && Number(value) <= LARGEST_ID, 'No such id'),
    ),
    z.transform(Number),
  );
}

/** A whole number in a query. */
// @__NO_SIDE_EFFECTS__
export function countText(least: number, most: number) {
  return z.pipe(
    z.string().check(
      z.regex(/^\d{1,9}$/, 'Not a whole number'),
      z.refine(
        (value) => Number(value) >= least && Number(value) <= most,
        `Must be from ${least} to ${most}`,
      ),
    ),
    z.transform(Number),
  );
}

/** One text for what is missing or blank, another for what is wrong. */
export const missingOr =
  (missing: string, wrong: string) =>
  ({ input }: { readonly input?: unknown }): string =>
    input === undefined || input === null || input === '' ? missing : wrong;

/** An amount as a number or a decimal string; parsed to pence. */
// @__NO_SIDE_EFFECTS__
export function amount(message = 'Not an amount of money', required = message) {
  const error = missingOr(required, message);
  return z.pipe(
    z
      .union([z.number(), z.string()], { error })
      .check(z.refine((value) => fromDecimal(value) !== undefined, { error })),
    z.transform((value): Pence => fromDecimal(value) ?? 0),
  );
}

/** `YYYY-MM-DD`. */
// @__NO_SIDE_EFFECTS__
export function date(required = 'Date is required') {
  return z.string(required).check(z.minLength(1, required), z.iso.date('Must be a date such as 2026-12-04'));
}

/** `HH:mm`. */
// @__NO_SIDE_EFFECTS__
export function time(required = 'Time is required') {
  return z
    .string(required)
    .check(z.minLength(1, required), z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be a time such as 19:30'));
}

/** An ISO 8601 instant; parsed to its form in UTC. */
// @__NO_SIDE_EFFECTS__
export function instant(required = 'Required') {
  return z.pipe(
    z
      .string(required)
      .check(
        z.minLength(1, required),
        z.iso.datetime({ offset: true, error: 'Must be an ISO 8601 date and time' }),
      ),
    z.transform((value) => new Date(value).toISOString()),
  );
}

/** A category's slug. */
// @__NO_SIDE_EFFECTS__
export function slug(required = 'Category is required') {
  return z
    .string(required)
    .check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, required), z.maxLength(LONGEST.name, required));
}

/** A picture's address: absolute `http(s)`, or a path on this site. */
// @__NO_SIDE_EFFECTS__
export function imageUrl() {
  return z
    .string('Must be an address')
    .check(
      z.trim(),
      z.maxLength(LONGEST.url, tooLong(LONGEST.url)),
      z.regex(/^(https?:\/\/[^\s"'<>\\]+|\/(?!\/)[^\s"'<>\\]*)$/, 'Must be an http or https address'),
      z.refine(isStorable, UNSTORABLE),
    );
}

/** An amount in an answer: a decimal string with two places. */
// @__NO_SIDE_EFFECTS__
export function money() {
  return z.string().check(z.regex(/^-?\d+\.\d{2}$/));
}

/** For calls without a body: nothing, or `{}`. */
// @__NO_SIDE_EFFECTS__
export function noBody() {
  return z.nullish(z.strictObject({}));
}

/** The parameters of a path with an id. */
// @__NO_SIDE_EFFECTS__
export function idParams() {
  return z.object({ id: idText() });
}
