/** Undefined for a value that a newer release has written during an upgrade. */
export const lookup = <Value extends string, Said>(
  table: Readonly<Record<Value, Said>>,
  value: Value,
): Said | undefined => (Object.hasOwn(table, value) ? table[value] : undefined);
