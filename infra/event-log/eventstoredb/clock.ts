/** The protocol of EventStoreDB has no call for its time, but every node says it in the header of an answer over HTTP. */
import { get as getOverHttp } from 'node:http';
import { get as getOverHttps } from 'node:https';
import { type Node, readAddress } from './address.ts';

/** How long a node may take to answer, in milliseconds. */
const PATIENCE = 5_000;

/** What a node says that the time is; undefined if it says nothing. */
const timeAt = ({ address, port }: Node, tls: boolean, ca: Buffer | undefined): Promise<string | undefined> =>
  new Promise((done) => {
    const options = { host: address, port, path: '/ping', timeout: PATIENCE, ...(ca ? { ca } : {}) };
    const request = (tls ? getOverHttps : getOverHttp)(options, (response) => {
      response.resume();
      done(response.headers.date);
    });
    request.on('timeout', () => request.destroy()).on('error', () => done(undefined));
  });

/** By how much this machine's clock is ahead of the store's, in milliseconds, to about a second. Undefined where no node says. */
export const aheadOfStore = async (url: string): Promise<number | undefined> => {
  const { nodes, tls, access } = readAddress(url);
  for (const node of nodes) {
    const said = Date.parse((await timeAt(node, tls, access.authority)) ?? '');
    if (!Number.isNaN(said)) return Date.now() - said;
  }
  return undefined;
};
