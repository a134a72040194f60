import { Refusal } from '#domain/refusal.ts';

/** Where a page of the event list ended: the value it is sorted by, and the id among equals. */
export interface Cursor {
  readonly value: string | number;
  readonly id: number;
}

/** An opaque cursor that remembers the order it belongs to. */
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

/** @throws Refusal BAD_INPUT for what is not a cursor of this order */
export const readCursor = (cursor: string, sort: string): Cursor => {
  const parsed = parse(Buffer.from(cursor, 'base64url').toString());
  const [order, value, id] = Array.isArray(parsed) ? parsed : [];
  const fits =
    sort === 'date'
      ? typeof value === 'string' && !Number.isNaN(Date.parse(value))
      : Number.isSafeInteger(value) && Math.abs(value) < 2 ** 31;
  if (order !== sort || !fits || !Number.isSafeInteger(id) || Math.abs(id) >= 2 ** 31) {
    throw new Refusal('BAD_INPUT', { fields: { cursor: 'Not a cursor of this list' } });
  }
  return { value, id };
};
