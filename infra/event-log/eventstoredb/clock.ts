/** gRPC has no call for the server's time: take the HTTP `Date` header. */
import { get as getOverHttp } from 'node:http';
import { get as getOverHttps } from 'node:https';
import { type Node, readAddress } from './address.ts';

const PATIENCE = 5_000;

const timeAt = ({ address, port }: Node, tls: boolean, ca: Buffer | undefined): Promise<string | undefined> =>
  new Promise((done) => {
    const options = { host: address, port, path: '/ping', timeout: PATIENCE, ...(ca ? { ca } : {}) };
    const request = (tls ? getOverHttps : getOverHttp)(options, (response) => {
      response.resume();
      done(response.headers.date);
    });
    request.on('timeout', () => request.destroy()).on('error', () => done(undefined));
  });

/** Milliseconds, to about a second. Undefined if no node answers. */
export const aheadOfStore = async (url: string): Promise<number | undefined> => {
  const { nodes, tls, access } = readAddress(url);
  for (const node of nodes) {
    const said = Date.parse((await timeAt(node, tls, access.authority)) ?? '');
    if (!Number.isNaN(said)) return Date.now() - said;
  }
  return undefined;
};
