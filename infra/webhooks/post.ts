/** Sends something to an address that somebody entered. It reaches nothing inside our own network, whatever the address says or leads to. */
import { type LookupAddress, lookup } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** What came of it. */
export interface Posted {
  /** The answer's status; null where none came. */
  readonly status: number | null;
  /** How the answer began, or why none came. */
  readonly answer: string;
  readonly milliseconds: number;
}

export interface PostOptions {
  /** Whether only https and only public addresses are reached: always in production. */
  readonly locked: boolean;
  readonly signal?: AbortSignal;
  /** How long it may take in all, in milliseconds. Default 10,000. */
  readonly within?: number;
}

const WITHIN = 10_000;
/** As much of an answer is read, in bytes, and kept, in characters. */
const MOST_READ = 4_096;
const MOST_KEPT = 500;

/** The networks that are not public (IANA's registries of special-purpose addresses). */
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
// Tunnels lead to addresses that stand in them.
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  inside.addSubnet(network, bits, 'ipv6');
/** Of IPv6 only this is public at all: addresses of IPv4 in other forms are not. */
const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');

/** Whether an address is one of the public internet. */
export const isPublic = (address: string): boolean => {
  const family = isIP(address);
  if (family === 4) return !inside.check(address, 'ipv4');
  return family === 6 && global6.check(address, 'ipv6') && !inside.check(address, 'ipv6');
};

const INSIDE = 'leads to an address that is not public';

/** Why an address is not used at all; undefined if it may be. What its name leads to is found out on connecting. */
export const obstacleTo = ({ protocol, hostname }: URL): string | undefined => {
  if (protocol !== 'https:') return 'must begin with https://';
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) > 0 && !isPublic(host) ? INSIDE : undefined;
};

/** Finds a host's addresses, and fails if any is not public: the connection goes to one of these, and is not looked up again. */
const lookupPublic: LookupFunction = (hostname, options, done) =>
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const [first] = addresses ?? [];
    if (error || !first) return done(error ?? new Error('has no address'), '');
    if (!addresses.every(({ address }) => isPublic(address))) return done(new Error(INSIDE), '');
    if (options.all) return done(null, addresses);
    done(null, first.address, first.family);
  });

/** What PostgreSQL's text and JSON can hold. */
const storable = (text: string): string => text.slice(0, MOST_KEPT).replaceAll('\0', '').toWellFormed();

/** Posts JSON. It follows no redirect, and never throws: what went wrong is in what it resolves to. */
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
      // Who answers that another protocol follows (101) makes no response of it, and the connection is ours to close.
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
