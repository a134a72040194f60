/**
 * What a table says of a value that stands in an event or a row. While an upgrade goes on, a newer program may have written a value that this
 * one does not know: then undefined, and the caller says what holds for any.
 */
export const saidOf = <Value extends string, Said>(
  table: Readonly<Record<Value, Said>>,
  value: Value,
): Said | undefined => (Object.hasOwn(table, value) ? table[value] : undefined);
