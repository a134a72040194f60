const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const GROUPS = 8;
const OF_NETWORK = 4;

/** The groups on one side of `::`. An IPv4 address at the end counts as two. */
const groupsOf = (side: string): readonly string[] =>
  side.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : group || []));

/**
 * The key under which limits count an address: the address itself, or in IPv6 its network of 64 bits, since whoever has one
 * address of such a network has all of them (RFC 6177).
 */
export const countedAddress = (ip: string): string => {
  if (!ip.includes(':')) return ip;
  const mapped = MAPPED.exec(ip)?.[1];
  if (mapped) return mapped;
  const [head = '', tail] = ip.split('::');
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array.from({ length: Math.max(0, GROUPS - before.length - after.length) }, () => '0');
  const network = [...before, ...zeros, ...after].slice(0, OF_NETWORK);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
};
