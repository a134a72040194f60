import type { Server } from 'node:http';
import { countedAddress } from './counted-address.ts';
import type { Trust } from './trusted-proxies.ts';

/** Per address: a venue's guests may share one, and each browser opens several. */
export const MOST_CONNECTIONS = 2_000;

export const boundConnections = (server: Server, trusts: Trust, most: number): void => {
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const { remoteAddress = '' } = socket;
    if (trusts(remoteAddress, 0)) return;
    const address = countedAddress(remoteAddress);
    const others = open.get(address) ?? 0;
    if (others >= most) {
      socket.destroy();
      return;
    }
    open.set(address, others + 1);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
};
