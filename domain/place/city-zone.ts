/** Legacy names that V8 accepts but PostgreSQL does not know. */
const FORGOTTEN = /^(SystemV\/|US\/Pacific-New$|Canada\/East-Saskatchewan$)/i;

/** UTC or an IANA name. No abbreviations: "BST" is Dhaka's time to V8 and British summer time to PostgreSQL. */
export const isZone = (zone: string): boolean => {
  if (zone !== 'UTC' && (!zone.includes('/') || FORGOTTEN.test(zone))) return false;
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: zone });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
};
