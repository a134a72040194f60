/** ISO 8601, UTC, milliseconds: `2026-11-21T19:30:00.000Z`. */
export type Instant = string;

/** Turns the instants of a row just read into ISO text, in place. */
export const toIsoInstants = <Row extends object>(row: Row): Row => {
  for (const [name, value] of Object.entries(row)) {
    if (value instanceof Date) Reflect.set(row, name, value.toISOString());
  }
  return row;
};
