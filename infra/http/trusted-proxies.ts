/** Whose word is taken for where a request came from: `X-Forwarded-*` can be written by anybody. */
import { BlockList, isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#infra/config/config.ts';

/** Whether the `X-Forwarded-*` headers are believed that the machine of this address sent; `hop` counts from ourselves, from 0. */
export type Trust = (address: string, hop: number) => boolean;

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Trust in so many proxies in front of us, or in those at some addresses and networks. */
export const trustOf = (proxies: Config['trustProxy']): Trust => {
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies;
  const trusted = new BlockList();
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/');
    if (bits === undefined) trusted.addAddress(address, familyOf(address));
    else trusted.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address) => isIP(address) > 0 && trusted.check(address, familyOf(address));
};

/**
 * Warns, once, when forwarded headers come from somebody who is not trusted: most likely a proxy that the configuration
 * forgot, and then all people behind it count as one address.
 */
export const warnOfUntrusted = (app: FastifyInstance, trusts: Trust): void => {
  let warned = false;
  // Not asynchronous: a caller that hangs up has no address any more by the time that the next hook asks for it.
  app.addHook('onRequest', ({ headers, raw }, _reply, done) => {
    if (!warned && headers['x-forwarded-for'] !== undefined && !trusts(raw.socket.remoteAddress ?? '', 0)) {
      warned = true;
      app.log.warn(
        'X-Forwarded-For is not believed: if it comes from a proxy of yours, name it in TRUST_PROXY',
      );
    }
    done();
  });
};
