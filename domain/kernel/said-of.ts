/**
 * Table lookup for a stored value. During an upgrade a newer release may have written an unknown value: then
 * undefined, and the caller provides a default.
 */
export const saidOf = <Value extends string, Said>(
  table: Readonly<Record<Value, Said>>,
  value: Value,
): Said | undefined => (Object.hasOwn(table, value) ? table[value] : undefined);
