import { Refusal } from '#domain/kernel/refusal.ts';

export interface Cursor {
  readonly value: string | number;
  readonly id: number;
}

export const cursorAfter = (sort: string, value: string | number, id: number): string =>
  Buffer.from(JSON.stringify([sort, value, id])).toString('base64url');

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** JavaScript's Date accepts instants that PostgreSQL refuses. */
const isInstant = (value: unknown): boolean =>
  typeof value === 'string' &&
  /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  new Date(value).toISOString() === value;

const isInteger = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && Math.abs(value) < 2 ** 31;

export const readCursor = (cursor: string, sort: string): Cursor => {
  const parsed = parse(Buffer.from(cursor, 'base64url').toString());
  const [order, given, id]: unknown[] = Array.isArray(parsed) ? parsed : [];
  const value = (sort === 'date' ? isInstant(given) : isInteger(given))
    ? (given as string | number)
    : undefined;
  // Refuse any cursor that this API did not write.
  if (order !== sort || value === undefined || !isInteger(id) || cursorAfter(sort, value, id) !== cursor)
    throw new Refusal('BAD_INPUT', { fields: { cursor: 'Not a cursor of this list' } });
  return { value, id };
};
