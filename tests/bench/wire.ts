/**
 * A load generator that costs little of the two cores it shares with what it measures: plain sockets, requests made
 * beforehand, answers parsed as far as their length. The product and its baselines are asked by the same one.
 */
import { connect, type Socket } from 'node:net';
import { signedIn } from '#tests/kit/http.ts';

export interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: Buffer;
}

/** One keep-alive connection; one request at a time. */
export class Wire {
  readonly #socket: Socket;
  #buffer: Buffer = Buffer.alloc(0);
  #waiting: { resolve(answer: Answer): void; reject(error: Error): void } | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => {
      this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk]);
      this.#take();
    });
    const fail = (error?: Error) => this.#waiting?.reject(error ?? new Error('the connection was closed'));
    socket.on('error', fail);
    socket.on('close', () => fail());
  }

  static open(port: number): Promise<Wire> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new Wire(socket)));
      socket.once('error', reject);
    });
  }

  ask(request: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(): void {
    const end = this.#buffer.indexOf('\r\n\r\n');
    if (end < 0 || !this.#waiting) return;
    const head = this.#buffer.toString('latin1', 0, end);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    const total = end + 4 + length;
    if (this.#buffer.length < total) return;
    const body = this.#buffer.subarray(end + 4, total);
    this.#buffer = this.#buffer.subarray(total);
    const { resolve } = this.#waiting;
    this.#waiting = undefined;
    resolve({ status: Number(head.slice(9, 12)), head, body });
  }
}

/** A request's text. `headers` are lines without their ends. */
export const request = (
  method: string,
  path: string,
  headers: readonly string[] = [],
  json?: object,
): string => {
  const body = json === undefined ? '' : JSON.stringify(json);
  const lines = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', ...headers];
  if (json !== undefined)
    lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`);
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
};

export type Load = Awaited<ReturnType<typeof load>>;

export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

export const median = (values: readonly number[]): number =>
  quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );

export const session = (token: string): readonly string[] =>
  Object.entries(signedIn(token)).map(([name, value]) => `${name}: ${value}`);

/**
 * Runs `work` on so many connections for so long. The first fifth warms up and is not counted. `work` returns false
 * when there is no more to do. Resolves to rounds a second, and milliseconds a round: half were at most `p50`, 99 in 100 at most `p99`.
 */
export const load = async (
  port: number,
  connections: number,
  milliseconds: number,
  work: (wire: Wire) => Promise<boolean>,
) => {
  const wires = await Promise.all(Array.from({ length: connections }, () => Wire.open(port)));
  const began = performance.now();
  const counted = began + milliseconds / 5;
  const ends = began + milliseconds;
  const times: number[] = [];
  let last = counted;
  const run = async (wire: Wire): Promise<void> => {
    while (performance.now() < ends) {
      const from = performance.now();
      const more = await work(wire);
      const now = performance.now();
      if (from >= counted) times.push(now - from);
      last = now;
      if (!more) return;
    }
  };
  await Promise.all(wires.map(run));
  for (const wire of wires) wire.close();
  times.sort((a, b) => a - b);
  const rate = times.length / ((last - counted) / 1_000);
  return { rate, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
};
