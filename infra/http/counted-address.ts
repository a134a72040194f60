import type { LimitName } from '#domain/contracts/limits.ts';
import type { RateLimits } from './rate-limits.ts';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const GROUPS = 8;
const OF_NETWORK = 4;
const OF_LINE = 3;
/** How much more a line of IPv6 may than one of its networks: a mobile network gives each phone a network of its own. */
const LINE_MAY = 10;

/** The groups on one side of `::`. An IPv4 address at the end counts as two. */
const groupsOf = (side: string): readonly string[] =>
  side.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : group || []));

/** The first groups of an address of IPv6, as the network that they name. */
const networkOf = (ip: string, groups: number): string => {
  const [head = '', tail] = ip.split('::');
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array.from({ length: Math.max(0, GROUPS - before.length - after.length) }, () => '0');
  const network = [...before, ...zeros, ...after].slice(0, groups);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/${groups * 16}`;
};

/**
 * The key under which limits count an address: the address itself, or in IPv6 its network of 64 bits, since whoever has one
 * address of such a network has all of them (RFC 6177).
 */
export const countedAddress = (ip: string): string =>
  ip.includes(':') ? (MAPPED.exec(ip)?.[1] ?? networkOf(ip, OF_NETWORK)) : ip;

/** The network of 48 bits of an address of IPv6: as much as one line may have (RFC 6177). Undefined in IPv4. */
export const countedLine = (ip: string): string | undefined =>
  ip.includes(':') && !MAPPED.test(ip) ? networkOf(ip, OF_LINE) : undefined;

/** Counts an address, and its line ten times as generously. @throws Refusal TOO_MANY */
export const countAddress = async (
  limits: Pick<RateLimits, 'take'>,
  name: LimitName,
  ip: string,
): Promise<void> => {
  await limits.take(name, countedAddress(ip));
  const line = countedLine(ip);
  if (line !== undefined) await limits.take(name, line, LINE_MAY);
};

/** The same for a limit that counts in the process, without a promise. @throws Refusal TOO_MANY */
export const countAddressNow = (limits: Pick<RateLimits, 'takeNow'>, name: LimitName, ip: string): void => {
  limits.takeNow(name, countedAddress(ip));
  const line = countedLine(ip);
  if (line !== undefined) limits.takeNow(name, line, LINE_MAY);
};

/** Uncounts an address. */
export const uncountAddress = async (
  limits: Pick<RateLimits, 'giveBack'>,
  name: LimitName,
  ip: string,
): Promise<void> => {
  await limits.giveBack(name, countedAddress(ip));
  const line = countedLine(ip);
  if (line !== undefined) await limits.giveBack(name, line);
};
