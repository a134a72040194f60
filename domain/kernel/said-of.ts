/**
 * Looks up a stored value. A newer release may have written an unknown one during an upgrade: undefined, and
 * the caller has a default.
 */
export const saidOf = <Value extends string, Said>(
  table: Readonly<Record<Value, Said>>,
  value: Value,
): Said | undefined => (Object.hasOwn(table, value) ? table[value] : undefined);
