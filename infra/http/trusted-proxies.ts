import { BlockList, isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#infra/config/config.ts';

/** `hop` counts from this server, from 0. */
export type Trust = (address: string, hop: number) => boolean;

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

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

/** Warns once: probably an unconfigured proxy, behind which all people count as one address. */
export const warnOfUntrusted = (app: FastifyInstance, trusts: Trust): void => {
  let warned = false;
  // Synchronous: after a disconnect the address is gone by the next hook.
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
