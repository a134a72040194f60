/** A TCP proxy that cuts a connection where a test wants it: after the request arrived, before its reply gets out. */
import { createServer, connect as dial, type Socket } from 'node:net';

/** How long the server has to be quiet, in milliseconds. */
const QUIET = 500;
/** How a client asks an HTTP proxy for a way through, which lets it keep the name that is in the server's certificate. */
const ASKS_THROUGH = /^CONNECT ([^\s:]+):(\d+) HTTP\/1\.1\r\n/;

/** A name that only this proxy knows: this machine's. The loopback server's certificate has it. */
export const NAMED = 'node.reprise.test';

/** Starts a proxy on 127.0.0.1: to a port there, or as an HTTP proxy to wherever a client asks, if there is none. */
export const startCuttingProxy = async (target?: number) => {
  const sockets = new Set<Socket>();
  let armed: { readonly marker?: string; readonly replyNamesIt: boolean } | undefined;

  const join = (client: Socket, upstream: Socket): void => {
    let cutting: typeof armed;
    let quiet: NodeJS.Timeout | undefined;
    const cut = () => {
      clearTimeout(quiet);
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
      if (armed && (armed.marker === undefined || bytes.includes(armed.marker))) {
        cutting = armed;
        armed = undefined;
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (!cutting) client.write(bytes);
      else if (cutting.marker === undefined) {
        clearTimeout(quiet);
        quiet = setTimeout(cut, QUIET);
      } else if (!cutting.replyNamesIt || bytes.includes(cutting.marker)) cut();
      else client.write(bytes);
    });
  };

  const server = createServer((client) => {
    if (target !== undefined) {
      join(client, dial(target, '127.0.0.1'));
      return;
    }
    client.on('error', () => client.destroy());
    client.once('data', (bytes) => {
      const [, host, port] = ASKS_THROUGH.exec(bytes.toString()) ?? [];
      const upstream = dial(Number(port), host === NAMED ? '127.0.0.1' : host);
      upstream.once('connect', () => client.write('HTTP/1.1 200 OK\r\n\r\n'));
      join(client, upstream);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('the proxy has no port');
  return {
    port: address.port,
    /**
     * Loses the reply to the next request that contains `marker`. The reply is the next thing that the server sends on
     * that connection, or the next that contains the marker too, where the protocol chatters.
     */
    loseReplyTo: (marker: string, replyNamesIt: boolean): void => {
      armed = { marker, replyNamesIt };
    },
    /** Loses whatever is answered to the next request, where all is encrypted: it is cut once the server has said it and is quiet again. */
    loseReplyToNext: (): void => {
      armed = { replyNamesIt: false };
    },
    close: () =>
      new Promise<void>((done) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => done());
      }),
  };
};
