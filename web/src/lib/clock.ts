/** Server's clock minus the device's, in milliseconds. Device clocks can be minutes off, and holds end by the server's. */
let ahead = 0;

/** Smaller differences, in milliseconds, come from latency and the header's whole seconds. */
const NOTHING = 2_000;

export const heardTime = (header: string | null, now = Date.now()): void => {
  const difference = header === null ? Number.NaN : Date.parse(header) - now;
  if (!Number.isNaN(difference)) ahead = Math.abs(difference) < NOTHING ? 0 : difference;
};

/** Milliseconds since 1970. */
export const serverNow = (now = Date.now()): number => now + ahead;
