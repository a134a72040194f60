/**
 * The server's time, in milliseconds since 1970: many people's clocks are minutes off, and a hold of tickets ends by the
 * server's.
 */
let ahead = 0;

/** Below this the difference is the way of the answer, and the header's whole seconds. Milliseconds. */
const NOTHING = 2_000;

/** Takes the `Date` header of an answer that has just come. */
export const heardTime = (header: string | null, now = Date.now()): void => {
  const difference = header === null ? Number.NaN : Date.parse(header) - now;
  if (!Number.isNaN(difference)) ahead = Math.abs(difference) < NOTHING ? 0 : difference;
};

/** The present by the server’s clock, in milliseconds since 1970. */
export const serverNow = (now = Date.now()): number => now + ahead;
