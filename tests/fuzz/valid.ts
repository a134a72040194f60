/** Requests that a client of ours might send: where malformed ones start from, so that they reach the inside of handlers. */
import { toDecimal } from '#domain/kernel/money.ts';
import { CARDS, paymentForm } from '#tests/kit/card.ts';
import type { Chance } from '#tests/kit/chance.ts';
import { PRICE } from '#tests/kit/prepared-sale.ts';
import type { Schema } from './calls.ts';

/** What is there to be asked for: values by the name of the field that takes them, `events.id` for an id below `/events`. */
export type Stock = ReadonlyMap<string, readonly (string | number)[]>;

const DAY = 86_400_000;
const dayIn = (days: number): string => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);

/** Fields whose schema says less than what makes sense in them. */
const SENSIBLE: Readonly<Record<string, readonly (string | number)[]>> = {
  password: ['Secret-1a!', 'secret1', 'Longer-Passw0rd!'],
  email: ['new@reprise.test', 'staff@reprise.test', 'someone.else@reprise.test'],
  ...{ category: ['concerts', 'culture', 'dining'], favoriteCategories: ['concerts'], city: ['London'] },
  ...{ cityId: [1], venueId: [1], zone: ['Europe/London'], date: [dayIn(20), dayIn(40)], time: ['19:30'] },
  ...{ dateOfBirth: ['1990-05-17'], doors: ['18:30'], end: ['23:00'], role: ['user', 'staff', 'auditor'] },
  ...{ price: ['28.50', 12], capacity: [50, 200], quantity: [1, 2], limit: [10, 1], offset: [0] },
  ...{ discountType: ['percentage', 'fixed'], discountValue: [10, 5], usageLimit: [100] },
  ...{ emoji: ['🎷'], slug: ['jazz'], search: ['long night'], featured: ['true'], gate: ['North'] },
  validFrom: [new Date(Date.now() - DAY).toISOString()],
  validUntil: [new Date(Date.now() + 60 * DAY).toISOString()],
  imageUrl: ['/images/x.webp', 'https://pictures.test/a.jpg'],
  ...{ returnTo: ['/events/901'], outcome: ['complete', 'fail'], cancellation_reason: ['abandoned'] },
  ...{ amount: [toDecimal(PRICE)], totalAmount: [toDecimal(PRICE)], currency: ['gbp'] },
  ...Object.fromEntries(
    [...paymentForm('', { clientSecret: '' })]
      .filter(([, value]) => value !== '')
      .map(([name, value]) => [name, [value]]),
  ),
  'payment_method_data[card][number]': [CARDS.pays, CARDS.declined, CARDS.challenge],
  'created[gte]': ['1700000000'],
};

/** A new city and a new venue stand instead of ids, and a new city's venue is new too. */
const settlePlace = (given: Record<string, unknown>, make: (name: string) => unknown): void => {
  const newCity = 'newCity' in given;
  const newVenue = newCity || 'newVenue' in given;
  const left = [newCity ? 'cityId' : 'newCity', newVenue ? 'venueId' : 'newVenue'];
  const meant = [newCity ? 'newCity' : 'cityId', newVenue ? 'newVenue' : 'venueId'];
  for (const name of left) delete given[name];
  for (const name of meant) given[name] ??= make(name);
};

const words = (least: number, most: number): string =>
  'A plain word. '
    .repeat(80)
    .slice(0, Math.min(Math.max(least, 12), most))
    .trim();

const textOf = (schema: Schema, chance: Chance): string => {
  const { format, pattern = '', minLength = 0, maxLength = 100 } = schema;
  if (format === 'date-time') return new Date(Date.now() + 30 * DAY).toISOString();
  if (format === 'email' || pattern.includes('@')) return `someone-${chance.between(1, 1e9)}@reprise.test`;
  if (format === 'uuid') return '00000000-0000-4000-8000-000000000000';
  if (format === 'date' || pattern.startsWith('^\\d{4}')) return dayIn(30);
  if (pattern.startsWith('^(([01]\\d')) return '20:00';
  if (pattern.startsWith('^\\d')) return String(chance.between(1, 20));
  if (pattern.startsWith('^[a-z')) return 'concerts';
  if (pattern.startsWith('^(https')) return '/images/x.webp';
  return words(minLength, maxLength);
};

/** A value that fits a schema, and mostly makes sense under its name. */
export const validFor = (name: string, schema: Schema, stock: Stock, chance: Chance): unknown => {
  const known = stock.get(name) ?? SENSIBLE[name];
  const scalar = schema.type !== 'object' && schema.type !== 'array' && schema.type !== 'boolean';
  const choices = schema.anyOf ?? schema.oneOf;
  const options = choices?.filter(({ type }) => type !== 'null') ?? [];
  if (choices && options.length < choices.length && chance.roll() < 0.2) return null;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return chance.pick(schema.enum);
  if (scalar && known && known.length > 0 && chance.roll() < 0.95) return chance.pick(known);
  if (options.length > 0) return validFor(name, chance.pick(options), stock, chance);
  const type = typeof schema.type === 'object' ? schema.type[0] : schema.type;
  switch (type) {
    case 'object': {
      const { properties = {}, required = [] } = schema;
      const given: Record<string, unknown> = {};
      for (const [inner, innerSchema] of Object.entries(properties))
        if (required.includes(inner) || chance.roll() < 0.6)
          given[inner] = validFor(inner, innerSchema, stock, chance);
      if ('newCity' in properties)
        settlePlace(given, (place) => validFor(place, properties[place] ?? {}, stock, chance));
      const { quantity } = given;
      // The server takes no other amount than its own.
      for (const amount of ['amount', 'totalAmount'])
        if (amount in given && typeof quantity === 'number') given[amount] = toDecimal(PRICE * quantity);
      return given;
    }
    case 'array': {
      const length = chance.between(schema.minItems ?? 0, Math.min(schema.maxItems ?? 3, 3));
      return Array.from({ length }, () => validFor(name, schema.items ?? {}, stock, chance));
    }
    case 'boolean':
      return chance.roll() < 0.5;
    case 'integer':
    case 'number':
      return chance.between(Math.max(schema.minimum ?? 1, 0), Math.min(schema.maximum ?? 20, 20));
    case 'null':
      return null;
    default:
      return textOf(schema, chance);
  }
};
