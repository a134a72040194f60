/**
 * Fields that are stored, edited and shown, but never searched or sorted: state, request, answer, CSV and
 * form derive from one declaration. Pages that only show values do not load the schemas
 * (`contracts/fields.ts`).
 */

interface Described {
  readonly label: string;
  readonly hint?: string;
  readonly exported?: boolean;
}

/** From 0 to `most`; 0 means none. */
export interface WholeField extends Described {
  readonly kind: 'whole';
  readonly most: number;
}

/** `HH:mm` at the venue. */
export interface ClockField extends Described {
  readonly kind: 'clock';
}

/** At most `most` UTF-16 units. */
export interface TextField extends Described {
  readonly kind: 'text';
  readonly most: number;
  readonly lines?: boolean;
}

export type Field = WholeField | ClockField | TextField;
export type Fields = Readonly<Record<string, Field>>;

export type ValueOf<F extends Field> = F extends WholeField ? number : string;

export type ValuesOf<F extends Fields> = { readonly [Name in keyof F]: ValueOf<F[Name]> | null };

export type SomeOf<F extends Fields> = { readonly [Name in keyof F]?: ValuesOf<F>[Name] | undefined };

type Typed<F extends Fields> = Readonly<Record<keyof F & string, string>>;

const mapped = <F extends Fields>(fields: F, value: (name: keyof F & string, field: Field) => unknown) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, value(name, field)]));

/** Omitted values stay; 0 and blank text become null. */
export const valuesOf = <F extends Fields>(
  fields: F,
  given: SomeOf<F> = {},
  before: SomeOf<F> = {},
): ValuesOf<F> =>
  mapped(fields, (name) => (given[name] === undefined ? before[name] : given[name]) || null) as ValuesOf<F>;

export const typedOf = <F extends Fields>(fields: F, values: SomeOf<F> = {}): Typed<F> =>
  mapped(fields, (name) => String(values[name] ?? '')) as Typed<F>;

export const sentOf = <F extends Fields>(fields: F, typed: Typed<F>): ValuesOf<F> =>
  mapped(fields, (name, { kind }) => {
    const text = typed[name];
    if (text === '') return null;
    return kind === 'whole' ? Number(text) : text;
  }) as ValuesOf<F>;

export const columnsOf = <F extends Fields>(fields: F) =>
  Object.entries(fields)
    .filter(([, { exported }]) => exported)
    .map(([name, { label }]) => [label, (values: ValuesOf<F>) => values[name] ?? null] as const);
