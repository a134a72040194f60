/**
 * Fields that are stored, edited and shown, but never searched or sorted by. A set of them is declared once, as data: the state, the
 * request, the answer, the CSV file and the form follow from it. `contracts/fields.ts` has their schemas, so that a page that only shows
 * values loads none.
 */

interface Described {
  readonly label: string;
  readonly hint?: string;
  /** Whether the list's CSV file has a column for it. */
  readonly exported?: boolean;
}

/** A whole number from 0 to `most`. 0 is the same as none. */
export interface WholeField extends Described {
  readonly kind: 'whole';
  readonly most: number;
}

/** A time of day at the venue, `HH:mm`. */
export interface ClockField extends Described {
  readonly kind: 'clock';
}

/** Text of at most `most` UTF-16 units, in several lines if `lines`. */
export interface TextField extends Described {
  readonly kind: 'text';
  readonly most: number;
  readonly lines?: boolean;
}

export type Field = WholeField | ClockField | TextField;
export type Fields = Readonly<Record<string, Field>>;

export type ValueOf<F extends Field> = F extends WholeField ? number : string;

/** A value for each field; null where there is none. */
export type ValuesOf<F extends Fields> = { readonly [Name in keyof F]: ValueOf<F[Name]> | null };

/** Some of the values, as a request or an earlier event has them. */
export type SomeOf<F extends Fields> = { readonly [Name in keyof F]?: ValuesOf<F>[Name] | undefined };

type Typed<F extends Fields> = Readonly<Record<keyof F & string, string>>;

const mapped = <F extends Fields>(fields: F, value: (name: keyof F & string, field: Field) => unknown) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, value(name, field)]));

/** All values, in the order of the fields. One that is left out stays as it was before; 0 and blank text become null. */
export const valuesOf = <F extends Fields>(
  fields: F,
  given: SomeOf<F> = {},
  before: SomeOf<F> = {},
): ValuesOf<F> =>
  mapped(fields, (name) => (given[name] === undefined ? before[name] : given[name]) || null) as ValuesOf<F>;

/** The values as a form shows them, blank where there are none. */
export const typedOf = <F extends Fields>(fields: F, values: SomeOf<F> = {}): Typed<F> =>
  mapped(fields, (name) => String(values[name] ?? '')) as Typed<F>;

/** What a form sends: null for a blank field. */
export const sentOf = <F extends Fields>(fields: F, typed: Typed<F>): ValuesOf<F> =>
  mapped(fields, (name, { kind }) => {
    const text = typed[name];
    if (text === '') return null;
    return kind === 'whole' ? Number(text) : text;
  }) as ValuesOf<F>;

/** The columns of a CSV file, for the fields that have one. */
export const columnsOf = <F extends Fields>(fields: F) =>
  Object.entries(fields)
    .filter(([, { exported }]) => exported)
    .map(([name, { label }]) => [label, (values: ValuesOf<F>) => values[name] ?? null] as const);
