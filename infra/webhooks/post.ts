/** Posts to user-supplied addresses. It never reaches our own network, whatever the address is or resolves to. */
import { type LookupAddress, lookup } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

export interface Posted {
  readonly status: number | null;
  readonly answer: string;
  readonly milliseconds: number;
}

export interface PostOptions {
  /** Allow only https and public addresses; always set in production. */
  readonly locked: boolean;
  readonly signal?: AbortSignal;
  readonly within?: number;
}

const WITHIN = 10_000;
const MOST_READ = 4_096;
const MOST_KEPT = 500;

/** Networks that are not public (IANA's registries of special-purpose addresses). */
const inside = new BlockList();
for (const [network, bits] of [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
  ] as const),
  ...([
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
  ] as const),
  ...([
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
  ] as const),
  ...([['224.0.0.0', 3]] as const),
] as const)
  inside.addSubnet(network, bits, 'ipv4');
// Tunnels lead to the addresses embedded in theirs.
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  inside.addSubnet(network, bits, 'ipv6');
/** The only public range of IPv6; excludes other forms of IPv4 addresses. */
const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');

export const isPublic = (address: string): boolean => {
  const family = isIP(address);
  if (family === 4) return !inside.check(address, 'ipv4');
  return family === 6 && global6.check(address, 'ipv6') && !inside.check(address, 'ipv6');
};

const INSIDE = 'leads to an address that is not public';

/** Why an address is refused; undefined if it may be used. The host name is checked on connecting. */
export const obstacleTo = ({ protocol, hostname }: URL): string | undefined => {
  if (protocol !== 'https:') return 'must begin with https://';
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) > 0 && !isPublic(host) ? INSIDE : undefined;
};

/** Fails if any address of the host is not public. The connection uses one of these without another lookup (DNS rebinding). */
const lookupPublic: LookupFunction = (hostname, options, done) =>
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const [first] = addresses ?? [];
    if (error || !first) return done(error ?? new Error('has no address'), '');
    if (!addresses.every(({ address }) => isPublic(address))) return done(new Error(INSIDE), '');
    if (options.all) return done(null, addresses);
    done(null, first.address, first.family);
  });

/** Drops what PostgreSQL's text and JSON can't hold. */
const storable = (text: string): string => text.slice(0, MOST_KEPT).replaceAll('\0', '').toWellFormed();

/** Posts JSON. Follows no redirect and never throws: failures are in the result. */
export const post = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  { locked, signal, within = WITHIN }: PostOptions,
): Promise<Posted> => {
  const began = performance.now();
  const told = (status: number | null, answer: string): Posted => ({
    ...{ status, answer: storable(answer) },
    milliseconds: Math.round(performance.now() - began),
  });
  const address = new URL(url);
  const obstacle = locked ? obstacleTo(address) : undefined;
  if (obstacle) return told(null, obstacle);
  const limits = [AbortSignal.timeout(within), ...(signal ? [signal] : [])];
  try {
    return await new Promise<Posted>((resolve, reject) => {
      const request = (address.protocol === 'https:' ? https : http).request(
        address,
        {
          method: 'POST',
          agent: false,
          signal: AbortSignal.any(limits),
          ...(locked ? { lookup: lookupPublic } : {}),
          headers: {
            ...headers,
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            'user-agent': 'Reprise-Webhooks/1',
          },
        },
        (response) => {
          const parts: Buffer[] = [];
          let read = 0;
          const end = () => {
            resolve(told(response.statusCode ?? null, Buffer.concat(parts).toString()));
            response.destroy();
          };
          response.on('data', (part: Buffer) => {
            parts.push(part);
            read += part.length;
            if (read >= MOST_READ) end();
          });
          response.on('end', end);
          response.on('error', reject);
        },
      );
      // A 101 answer produces no response event, and the socket is ours to close.
      request.on('upgrade', (response, socket) => {
        socket.destroy();
        resolve(told(response.statusCode ?? null, ''));
      });
      request.on('error', reject);
      request.end(body);
    });
  } catch (error) {
    if (limits[0]?.aborted) return told(null, `no answer within ${within / 1_000} seconds`);
    return told(null, error instanceof Error ? error.message : String(error));
  }
};
