/** A TCP proxy that cuts a connection where a test wants it: after the request arrived, before its reply gets out. */
import { createServer, connect as dial, type Socket } from 'node:net';

export interface CuttingProxy {
  readonly port: number;
  /**
   * Loses the reply to the next request that contains `marker`. The reply is the next thing that the server sends on
   * that connection, or the next that contains the marker too, where the protocol chatters.
   */
  loseReplyTo(marker: string, replyNamesIt: boolean): void;
  close(): Promise<void>;
}

/** Starts a proxy on 127.0.0.1 to a port there. */
export const startCuttingProxy = async (target: number): Promise<CuttingProxy> => {
  const sockets = new Set<Socket>();
  let armed: { marker: string; replyNamesIt: boolean } | undefined;

  const server = createServer((client) => {
    const upstream = dial(target, '127.0.0.1');
    let cutting: typeof armed;
    const cut = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', cut);
      socket.on('close', () => {
        sockets.delete(socket);
        cut();
      });
    }
    client.on('data', (bytes) => {
      if (armed && bytes.includes(armed.marker)) {
        cutting = armed;
        armed = undefined;
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (cutting && (!cutting.replyNamesIt || bytes.includes(cutting.marker))) cut();
      else client.write(bytes);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('the proxy has no port');
  return {
    port: address.port,
    loseReplyTo: (marker, replyNamesIt) => {
      armed = { marker, replyNamesIt };
    },
    close: () =>
      new Promise((done) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => done());
      }),
  };
};
