import * as z from 'zod/mini';
import type { Field, Fields, ValueOf } from '#domain/kernel/fields.ts';
import { fromDecimal, type Pence } from '#domain/kernel/money.ts';

/** The functions are marked free of side effects, so that bundles drop unused ones. */

/** UTF-16 units. */
export const LONGEST = {
  email: 254,
  name: 100,
  title: 200,
  search: 100,
  reason: 1_000,
  message: 5_000,
  description: 50_000,
  mail: 20_000,
  password: 200,
  code: 50,
  url: 2_000,
  token: 2_000,
} as const;

/** Maximum of PostgreSQL's integer. */
const LARGEST_ID = 2_147_483_647;

/** £99,999.99: ten tickets stay below the provider's maximum charge. */
export const LARGEST_PRICE: Pence = 9_999_999;
export const LARGEST_CAPACITY = 1_000_000;

const LONE_SURROGATE = /\p{Surrogate}/u;
const EACH_LONE_SURROGATE = /\p{Surrogate}/gu;

/** NUL and lone surrogates: PostgreSQL and JSON cannot both store them. */
const isStorable = (value: string): boolean => !value.includes('\0') && !LONE_SURROGATE.test(value);

const UNSTORABLE = 'Contains characters that can’t be stored';
const tooLong = (max: number) => `Must be at most ${max.toLocaleString('en-GB')} characters`;

/** Some letters render as nothing. */
const isVisible = (value: string): boolean =>
  /[^\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cc}]/u.test(value);

/** Trimmed, not blank. */
// @__NO_SIDE_EFFECTS__
export function text(max: number, required = 'Required') {
  return z
    .string(required)
    .check(
      z.trim(),
      z.minLength(1, { error: required, abort: true }),
      z.refine(isVisible, { error: required, abort: true }),
      z.maxLength(max, tooLong(max)),
      z.refine(isStorable, UNSTORABLE),
    );
}

const NOT_ONE_LINE = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u;

/**
 * Line breaks, bidirectional overrides and other control characters could add or reorder the site's own
 * words in lists and mails.
 */
// @__NO_SIDE_EFFECTS__
export function oneLine() {
  return z.refine<string>(
    (value) => !NOT_ONE_LINE.test(value),
    'Must be one line, without control characters',
  );
}

/** Makes a text acceptable to `oneLine`, for input that nobody can correct. May be blank. */
export const inOneLine = (value: string): string =>
  value.replace(EACH_LONE_SURROGATE, '\uFFFD').split(NOT_ONE_LINE).join(' ').replace(/\s+/g, ' ').trim();

// @__NO_SIDE_EFFECTS__
export function blankable(max: number) {
  return z
    .string('Must be text')
    .check(z.trim(), z.maxLength(max, tooLong(max)), z.refine(isStorable, UNSTORABLE));
}

// @__NO_SIDE_EFFECTS__
export function optionalText(max: number) {
  return z.pipe(
    z.nullish(blankable(max)),
    z.transform((value) => value ?? ''),
  );
}

export const NO_FLAG = 'Must be true or false';

// @__NO_SIDE_EFFECTS__
export function flag(otherwise: boolean) {
  return z.pipe(
    z.nullish(z.boolean(NO_FLAG)),
    z.transform((value) => value ?? otherwise),
  );
}

// @__NO_SIDE_EFFECTS__
export function prepared<S extends z.ZodMiniType>(
  schema: S,
  prepare: (input: Readonly<Record<string, unknown>>) => unknown,
) {
  const isObject = (input: unknown): input is Readonly<Record<string, unknown>> =>
    typeof input === 'object' && input !== null;
  return z.pipe(
    z.transform((input: unknown) => (isObject(input) ? prepare(input) : input)),
    schema,
  ) as unknown as z.ZodMiniType<z.output<S>, z.input<S>>;
}

const badRevision = 'Not a revision';

/** The revision of the edited form: overwriting later changes fails with CHANGED_MEANWHILE. */
// @__NO_SIDE_EFFECTS__
export function since() {
  return {
    revision: z.optional(
      z
        .string(badRevision)
        .check(z.maxLength(1_000, badRevision), z.regex(/^[\w.]+:\w+(,[\w.]+:\w+)*$/, badRevision)),
    ),
  };
}

// @__NO_SIDE_EFFECTS__
export function exact(max: number, min: number, tooShort: string) {
  return z
    .string(tooShort)
    .check(z.minLength(min, tooShort), z.maxLength(max, tooLong(max)), z.refine(isStorable, UNSTORABLE));
}

export const missingOr =
  (missing: string, wrong: string) =>
  ({ input }: { readonly input?: unknown }): string =>
    input === undefined || input === null || input === '' || Number.isNaN(input) ? missing : wrong;

// @__NO_SIDE_EFFECTS__
export function email(required = 'Invalid email address') {
  const error = missingOr(required, 'Invalid email address');
  return z
    .string({ error })
    .check(z.trim(), z.maxLength(LONGEST.email, tooLong(LONGEST.email)), z.email({ error, abort: true }));
}

/** The newsletter's: any text on both sides of one "@", without control characters. */
// @__NO_SIDE_EFFECTS__
export function looseEmail() {
  const message = 'Please enter a valid email address.';
  return z.string(message).check(
    z.trim(),
    z.maxLength(LONGEST.email, tooLong(LONGEST.email)),
    z.regex(/^[^\s@]+@[^\s@]+$/, message),
    z.refine((value) => !NOT_ONE_LINE.test(value), message),
    z.refine(isStorable, UNSTORABLE),
  );
}

// @__NO_SIDE_EFFECTS__
export function id(required = 'Required') {
  return z
    .int({ error: missingOr(required, 'Must be a number') })
    .check(z.positive(required), z.maximum(LARGEST_ID, 'No such id'));
}

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

/** Parsed into pence. */
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

/** `YYYY-MM-DD` up to 9999. West of UTC, that year's last day ends in 10000, which PostgreSQL rejects. */
// @__NO_SIDE_EFFECTS__
export function date(required = 'Date is required') {
  return z
    .string(required)
    .check(
      z.minLength(1, { error: required, abort: true }),
      z.iso.date({ error: 'Must be a date such as 2026-12-04', abort: true }),
      z.regex(/^2/, 'Must be in this millennium'),
    );
}

/** `HH:mm` or `h:mm AM/PM`, parsed into `HH:mm`. */
// @__NO_SIDE_EFFECTS__
export function time(required = 'Time is required') {
  return z.pipe(
    z
      .string(required)
      .check(
        z.minLength(1, { error: required, abort: true }),
        z.regex(
          /^(([01]\d|2[0-3]):[0-5]\d|(0?[1-9]|1[0-2]):[0-5]\d ?[AaPp][Mm])$/,
          'Must be a time such as 19:30',
        ),
      ),
    z.transform(toClock),
  );
}

const toClock = (time: string): string => {
  const [, hours, minutes, half] = /^(\d+):(\d+) ?([ap])m$/i.exec(time) ?? [];
  if (!half) return time;
  const hour = (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return `${String(hour).padStart(2, '0')}:${minutes}`;
};

/** ISO 8601, normalised to UTC. */
// @__NO_SIDE_EFFECTS__
export function instant(required = 'Required') {
  return z.pipe(
    z
      .string(required)
      .check(
        z.minLength(1, { error: required, abort: true }),
        z.iso.datetime({ offset: true, error: 'Must be an ISO 8601 date and time' }),
      ),
    z.transform((value) => new Date(value).toISOString()),
  );
}

// @__NO_SIDE_EFFECTS__
export function slug(required = 'Category is required') {
  return z
    .string(required)
    .check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, required), z.maxLength(LONGEST.name, required));
}

/** `URL.canParse` is missing in older browsers. */
const parsed = (value: string): URL | undefined => {
  try {
    return new URL(value);
  } catch {
    return undefined;
  }
};

/** `http` or `https`, without credentials. */
// @__NO_SIDE_EFFECTS__
export function webAddress(required: string, wrong: string) {
  return text(LONGEST.url, required).check(
    z.refine((value) => /^https?:$/.test(parsed(value)?.protocol ?? ''), { error: wrong, abort: true }),
    z.refine(
      (value) => !parsed(value)?.username && !parsed(value)?.password,
      'Leave out the name and password',
    ),
  );
}

// @__NO_SIDE_EFFECTS__
export function imageUrl() {
  return z
    .string('Must be an address')
    .check(
      z.trim(),
      z.maxLength(LONGEST.url, tooLong(LONGEST.url)),
      z.regex(/^(|https?:\/\/[^\s"'<>\\]+|\/(?!\/)[^\s"'<>\\]*)$/, 'Must be an http or https address'),
      z.refine(isStorable, UNSTORABLE),
    );
}

/** Decimal text with two places. */
// @__NO_SIDE_EFFECTS__
export function money() {
  return z.string().check(z.regex(/^-?\d+\.\d{2}$/));
}

// @__NO_SIDE_EFFECTS__
export function noBody() {
  return z.nullish(z.strictObject({}));
}

// @__NO_SIDE_EFFECTS__
export function idParams() {
  return z.object({ id: idText() });
}

type Value<F extends Field> = z.ZodMiniType<ValueOf<F>, ValueOf<F>>;

const requested = (field: Field): z.ZodMiniType => {
  switch (field.kind) {
    case 'whole': {
      const wrong = `${field.label} must be a whole number from 0 to ${field.most}`;
      return z.int(wrong).check(z.minimum(0, wrong), z.maximum(field.most, wrong));
    }
    case 'clock':
      return time();
    case 'text':
      return blankable(field.most);
  }
};

// @__NO_SIDE_EFFECTS__
export function requestsOf<F extends Fields>(fields: F) {
  const schemas = Object.entries(fields).map(([name, field]) => [name, z.nullish(requested(field))]);
  return Object.fromEntries(schemas) as {
    readonly [Name in keyof F]: z.ZodMiniOptional<z.ZodMiniNullable<Value<F[Name]>>>;
  };
}

// @__NO_SIDE_EFFECTS__
export function answersOf<F extends Fields>(fields: F) {
  const schemas = Object.entries(fields).map(([name, { kind }]) => [
    name,
    z.nullable(kind === 'whole' ? z.int() : z.string()),
  ]);
  return Object.fromEntries(schemas) as { readonly [Name in keyof F]: z.ZodMiniNullable<Value<F[Name]>> };
}
