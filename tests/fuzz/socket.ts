/** One connection, the bytes to the letter, and whatever comes back. */
import { connect } from 'node:net';

export interface Reply {
  /** 0: the connection was closed without an answer. */
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** How long an answer may take, in milliseconds, before it counts as none. */
const LONGEST = 25_000;
const END_OF_HEAD = Buffer.from('\r\n\r\n');

const headOf = (text: string): Pick<Reply, 'status' | 'headers'> => {
  const [line = '', ...rest] = text.split('\r\n');
  const headers = new Map<string, string>();
  for (const header of rest) {
    const colon = header.indexOf(':');
    if (colon < 0) continue;
    const name = header.slice(0, colon).toLowerCase();
    const before = headers.get(name);
    const value = header.slice(colon + 1).trim();
    headers.set(name, before === undefined ? value : `${before}\n${value}`);
  }
  return { status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(line)?.[1] ?? 0), headers };
};

/** The body of chunks; undefined while the last one is not there yet. */
const unchunked = (bytes: Buffer): Buffer | undefined => {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const length = Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (length === 0) return Buffer.concat(parts);
    if (bytes.length < end + 2 + length) return undefined;
    parts.push(bytes.subarray(end + 2, end + 2 + length));
    at = end + 2 + length + 2;
  }
};

/** What has come so far as an answer, if it is whole. Skips `100 Continue`. */
const wholeReply = (bytes: Buffer, head: boolean): Reply | undefined => {
  const end = bytes.indexOf(END_OF_HEAD);
  if (end < 0) return undefined;
  const { status, headers } = headOf(bytes.toString('latin1', 0, end));
  const rest = bytes.subarray(end + END_OF_HEAD.length);
  if (status === 100) return wholeReply(rest, head);
  const type = headers.get('content-type') ?? '';
  const live = type.startsWith('text/event-stream');
  if (head || status === 101 || status === 204 || status === 304 || live)
    return { status, headers, body: Buffer.alloc(0) };
  if (headers.get('transfer-encoding') === 'chunked') {
    const body = unchunked(rest);
    return body && { status, headers, body };
  }
  const length = Number(headers.get('content-length') ?? Number.NaN);
  return rest.length >= length ? { status, headers, body: rest.subarray(0, length) } : undefined;
};

/**
 * Sends over a connection of its own and waits for the first answer.
 * `cut`: nothing more comes after the bytes. `head`: the answer to HEAD has no body, whatever its headers say.
 * @throws when nothing came in time
 */
export const exchange = (
  origin: string,
  { bytes, cut, head }: { readonly bytes: Buffer; readonly cut: boolean; readonly head: boolean },
): Promise<Reply> =>
  new Promise((done, failed) => {
    const { hostname, port } = new URL(origin);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const chunks: Buffer[] = [];
    let settled = false;
    const settle = (ended: boolean): void => {
      if (settled) return;
      const all = Buffer.concat(chunks);
      const whole = wholeReply(all, head);
      if (!whole && !ended) return;
      settled = true;
      clearTimeout(patience);
      socket.destroy();
      const end = all.indexOf(END_OF_HEAD);
      // Without a length the body ends with the connection.
      const rest =
        end < 0 ? undefined : { ...headOf(all.toString('latin1', 0, end)), body: all.subarray(end + 4) };
      done(whole ?? rest ?? { status: 0, headers: new Map(), body: Buffer.alloc(0) });
    };
    const patience = setTimeout(() => {
      settled = true;
      socket.destroy();
      failed(new Error(`no answer in ${LONGEST} ms`));
    }, LONGEST);
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      settle(false);
    });
    socket.on('end', () => settle(true));
    socket.on('close', () => settle(true));
    socket.on('error', () => undefined /* `close` follows, and judges what has come */);
    socket.write(bytes, () => {
      if (cut) socket.end();
    });
  });
