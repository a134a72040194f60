import { readFileSync } from 'node:fs';
import { parseConnectionString } from '@eventstore/db-client/dist/Client/parseConnectionString.js';
import grpc from '@grpc/grpc-js';

export interface Node {
  readonly address: string;
  readonly port: number;
}

export interface Access {
  readonly credentials: grpc.ChannelCredentials;
  metadata(): grpc.Metadata;
  /** Milliseconds. */
  readonly keepAliveInterval: number;
  readonly keepAliveTimeout: number;
  readonly authority: Buffer | undefined;
}

export interface Address {
  readonly nodes: readonly Node[];
  readonly isCluster: boolean;
  readonly tls: boolean;
  readonly access: Access;
}

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
