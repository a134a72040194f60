import { isIPv6 } from 'node:net';
import { CannotStart, wordsOf } from '#infra/lib/cannot-start.ts';

interface Listener {
  listen(at: { host: string; port: number }): Promise<string>;
  readonly server: { address(): string | { address: string; port: number } | null };
}

const ANYWHERE: ReadonlySet<string> = new Set(['localhost', '0.0.0.0', '::']);

export const originOf = (host: string, port: number): string => {
  if (ANYWHERE.has(host)) return `http://127.0.0.1:${port}`;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
};

const reasonFor = (error: unknown, host: string, port: number): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken on ${host}: set PORT to another, or end what uses it.`;
  if (code === 'EACCES') return `Port ${port} is not open to this account: set PORT to one above 1023.`;
  if (code === 'EADDRNOTAVAIL') return `HOST=${host} is not an address of this machine.`;
  return `HOST=${host} can't be listened on: ${wordsOf(error)}`;
};

/** @throws CannotStart where the port is taken or the host is not ours */
export const listenAt = async (
  app: Listener,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<string> => {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw new CannotStart(reasonFor(error, host, port), { cause: error });
  }
  const address = app.server.address();
  if (typeof address !== 'object' || !address) return originOf(host, port);
  return originOf(host === 'localhost' ? address.address : host, address.port);
};
