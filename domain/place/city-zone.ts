/** Names with a place's form that V8 keeps from old lists and PostgreSQL does not know. */
const FORGOTTEN = /^(SystemV\/|US\/Pacific-New$|Canada\/East-Saskatchewan$)/i;

/**
 * Whether a city may have the zone: UTC, or the IANA name of a place that this runtime knows. Short names are none, since programs read
 * them differently: "BST" is Dhaka's time to V8 and British summer time to PostgreSQL.
 */
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
