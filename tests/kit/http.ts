/** Calls over real connections, that break as real ones do. */
import { Agent, request } from 'node:http';
import { mintCsrf } from '#infra/http/csrf.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed JSON; undefined where there was none. */
  readonly body: unknown;
}

/** The connection broke, or nobody listened: nobody knows whether it was done. */
export class Broken extends Error {
  override readonly name = 'Broken';
}

const LONGEST = 25_000;
/** Who has tickets in hand does not queue behind those who look for some. */
const shop = new Agent({ keepAlive: true, maxSockets: 12 });
const till = new Agent({ keepAlive: true, maxSockets: 32 });

const parsed = (text: string): unknown => {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Broken('half an answer', { cause });
  }
};

/** @throws Broken */
export const call = (
  method: 'GET' | 'POST',
  url: string,
  headers: Record<string, string> = {},
  body?: string,
  queue: 'shop' | 'till' = 'till',
): Promise<Reply> =>
  new Promise((done, failed) => {
    const broken = (cause: unknown): void => failed(new Broken(`${method} ${url}`, { cause }));
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const agent = queue === 'shop' ? shop : till;
    const asked = request(
      url,
      { method, agent, timeout: LONGEST, headers: { ...headers, ...length } },
      (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('error', broken);
        reply.on('end', () => {
          try {
            const text = Buffer.concat(chunks).toString('utf8');
            done({ status: reply.statusCode ?? 0, headers: reply.headers, body: parsed(text) });
          } catch (error) {
            failed(error);
          }
        });
      },
    );
    asked.on('timeout', () => asked.destroy(new Error('no answer in time')));
    asked.on('error', broken);
    asked.end(body);
  });

/** The headers of somebody signed in, as the client sends them. */
export const signedIn = (token: string): Record<string, string> => {
  const csrf = mintCsrf(token);
  return { cookie: `reprise-session=${token}; X-CSRF-Token=${csrf}`, 'x-csrf-token': csrf };
};
