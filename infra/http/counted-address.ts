import type { LimitName } from '#domain/contracts/limits.ts';
import type { RateLimits } from './rate-limits.ts';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const GROUPS = 8;
const OF_NETWORK = 4;
const OF_LINE = 3;
/** Factor for an IPv6 /48: a mobile network gives each phone its own /64. */
const LINE_MAY = 10;

const groupsOf = (side: string): readonly string[] =>
  side.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : group || []));

const networkOf = (ip: string, groups: number): string => {
  const [head = '', tail] = ip.split('::');
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array.from({ length: Math.max(0, GROUPS - before.length - after.length) }, () => '0');
  const network = [...before, ...zeros, ...after].slice(0, groups);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/${groups * 16}`;
};

/** IPv4 as is, IPv6 by its /64, which one subscriber controls entirely (RFC 6177). */
export const countedAddress = (ip: string): string =>
  ip.includes(':') ? (MAPPED.exec(ip)?.[1] ?? networkOf(ip, OF_NETWORK)) : ip;

export const countedLine = (ip: string): string | undefined =>
  ip.includes(':') && !MAPPED.test(ip) ? networkOf(ip, OF_LINE) : undefined;

/** @throws Refusal TOO_MANY */
export const countAddress = async (
  limits: Pick<RateLimits, 'take'>,
  name: LimitName,
  ip: string,
): Promise<void> => {
  await limits.take(name, countedAddress(ip));
  const line = countedLine(ip);
  if (line !== undefined) await limits.take(name, line, LINE_MAY);
};

/** @throws Refusal TOO_MANY */
export const countAddressNow = (limits: Pick<RateLimits, 'takeNow'>, name: LimitName, ip: string): void => {
  limits.takeNow(name, countedAddress(ip));
  const line = countedLine(ip);
  if (line !== undefined) limits.takeNow(name, line, LINE_MAY);
};

export const uncountAddress = async (
  limits: Pick<RateLimits, 'giveBack'>,
  name: LimitName,
  ip: string,
): Promise<void> => {
  await limits.giveBack(name, countedAddress(ip));
  const line = countedLine(ip);
  if (line !== undefined) await limits.giveBack(name, line);
};
