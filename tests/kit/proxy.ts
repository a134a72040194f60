/**
 * The proxy of the several-process start, small enough for a spec. Where a request goes is read from
 * `infra/Caddyfile` itself, and so are the client's pages and their headers: the file is on trial too.
 */
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { CLIENT_FOLDER } from '#infra/http/client-pages.ts';

const caddyfile = readFileSync(join(import.meta.dirname, '../../infra/Caddyfile'), 'utf8');

/** The paths of one of its named matchers, a trailing `*` standing for anything. */
export const pathsOf = (matcher: string): readonly string[] => {
  const paths = new RegExp(`@${matcher}\\b[^\\n]*?(?:\\{\\s*)?\\bpath ([^\\n]+)`).exec(caddyfile)?.[1];
  if (!paths) throw new Error(`infra/Caddyfile has no matcher @${matcher} with paths`);
  return paths.trim().split(/\s+/);
};
const among = (matcher: string): ((path: string) => boolean) => {
  const paths = pathsOf(matcher);
  return (path) =>
    paths.some((one) => (one.endsWith('*') ? path.startsWith(one.slice(0, -1)) : path === one));
};
const isCommand = among('commands');
const isCommandRead = among('commandReads');
const isQuery = among('queries');
const isPage = among('page');
const isReader = among('reader');
/** The headers that one of its blocks sends. */
const headersOf = (block: string): readonly (readonly [string, string])[] => {
  const [, inside = ''] = caddyfile.split(`${block} {`);
  const lines = inside
    .slice(0, inside.search(/^\s*\}$/m))
    .matchAll(/^\s*header ([\w-]+) (?:"([^"\n]+)"|`([^`\n]+)`|(\S+))$/gm);
  return [...lines].map(([, name = '', ...values]) => [name, values.find(Boolean) ?? '']);
};
/** The headers of the client's pages and files, and what is different in those of the worker that reads codes. */
export const pageHeaders = headersOf('(policies)');
export const readerHeaders = headersOf('handle @reader');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

const sendClient = async (path: string, response: ServerResponse): Promise<void> => {
  const file = join(CLIENT_FOLDER, normalize(path));
  const found = path !== '/' && existsSync(file);
  const headers = [...pageHeaders, ...(isReader(path) ? readerHeaders : [])];
  for (const [name, value] of headers) response.setHeader(name, value);
  response.statusCode = found || isPage(path) ? 200 : 404;
  const sent = found ? file : join(CLIENT_FOLDER, 'index.html');
  response.setHeader('content-type', TYPES[extname(sent)] ?? 'application/octet-stream');
  response.end(await readFile(sent));
};

const forward = (port: number, incoming: IncomingMessage, response: ServerResponse): void => {
  const onward = request(
    { host: '127.0.0.1', port, method: incoming.method, path: incoming.url, headers: incoming.headers },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  onward.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
  response.on('close', () => onward.destroy());
  incoming.pipe(onward);
};

/** Where the proxy sends a request: to one of the APIs, or to the client's files. */
export const goalOf = (method: string, path: string): 'commands' | 'queries' | 'client' => {
  const reads = ['GET', 'HEAD', 'OPTIONS'].includes(method);
  if ((!reads && isCommand(path)) || isCommandRead(path)) return 'commands';
  return isQuery(path) ? 'queries' : 'client';
};

/** Ports of the two APIs. */
export interface Behind {
  readonly commands: number;
  readonly queries: number;
}

/** Listens at `port`, on the loopback interface. Returns its end. */
export const startProxy = async (port: number, behind: Behind): Promise<() => Promise<void>> => {
  const server = createServer((incoming, response) => {
    const path = new URL(incoming.url ?? '/', 'http://proxy').pathname;
    const goal = goalOf(incoming.method ?? '', path);
    if (goal !== 'client') forward(behind[goal], incoming, response);
    else sendClient(path, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
};
