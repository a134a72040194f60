/** A door to a port of this machine that can be shut, and that can freeze: as a process that is gone, or one that is stopped. */
import { createServer, connect as dial, type Socket } from 'node:net';

export type Gate = Awaited<ReturnType<typeof openGate>>;

/** Opens a gate on 127.0.0.1 to a port there. */
export const openGate = async (target: () => number) => {
  const sockets = new Set<Socket>();
  let frozen = false;
  const server = createServer((client) => {
    const upstream = dial(target(), '127.0.0.1');
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.setNoDelay(true);
      if (frozen) one.pause();
      one.on('data', (bytes) => other.write(bytes));
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      if (frozen) one.pause();
    }
  });
  const listen = (port: number): Promise<number> =>
    new Promise((done, failed) => {
      server.once('error', failed);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', failed);
        const address = server.address();
        done(typeof address === 'object' && address ? address.port : 0);
      });
    });
  const port = await listen(0);
  return {
    port,
    /** Lets nothing through any more, and breaks nothing: connections stay open, new ones are taken and never answered. */
    freeze(): void {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw(): void {
      frozen = false;
      for (const socket of sockets) socket.resume();
    },
    /** Breaks every connection and refuses new ones, until `open`. */
    async shut(): Promise<void> {
      frozen = false;
      if (!server.listening) return;
      const closed = new Promise<void>((done) => server.close(() => done()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    async open(): Promise<void> {
      if (!server.listening) await listen(port);
    },
  };
};
