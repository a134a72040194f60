/** What the address of an EventStoreDB says: `esdb://…` with one node or several, or `esdb+discover://…` with a name for all. */
import { readFileSync } from 'node:fs';
import { parseConnectionString } from '@eventstore/db-client/dist/Client/parseConnectionString.js';
import grpc from '@grpc/grpc-js';

/** Where a node is reached. */
export interface Node {
  readonly address: string;
  readonly port: number;
}

/** How the nodes are talked to. */
export interface Access {
  readonly credentials: grpc.ChannelCredentials;
  /** What every call carries. */
  metadata(): grpc.Metadata;
  /** How often a connection is tried, and how long that may take, in milliseconds. */
  readonly keepAliveInterval: number;
  readonly keepAliveTimeout: number;
  /** The certificate of the authority that the nodes' certificates are from, if it is one of their own. */
  readonly authority: Buffer | undefined;
}

export interface Address {
  readonly nodes: readonly Node[];
  /** Whether the nodes are asked which of them leads. A single node that is named is taken at its word. */
  readonly isCluster: boolean;
  readonly tls: boolean;
  readonly access: Access;
}

/** @throws an error with a `connectionString` if it can't be read */
export const readAddress = (url: string): Address => {
  const said = parseConnectionString(url);
  const { hosts, dnsDiscover, tls = true, tlsCAFile, userCertFile, userKeyFile, defaultCredentials } = said;
  const file = (path: string | undefined) => (path === undefined ? undefined : readFileSync(path));
  const authority = tls ? file(tlsCAFile) : undefined;
  const { username, password } = defaultCredentials ?? {};
  return {
    nodes: hosts,
    isCluster: dnsDiscover || hosts.length > 1,
    tls,
    access: {
      credentials: tls
        ? grpc.credentials.createSsl(authority, file(userKeyFile), file(userCertFile))
        : grpc.credentials.createInsecure(),
      metadata() {
        const metadata = new grpc.Metadata();
        metadata.set('connection-name', said.connectionName ?? 'reprise');
        // A password goes over no line that others can read.
        if (tls && username !== undefined)
          metadata.set('authorization', `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`);
        return metadata;
      },
      keepAliveInterval: said.keepAliveInterval ?? 10_000,
      keepAliveTimeout: said.keepAliveTimeout ?? 10_000,
      authority,
    },
  };
};
