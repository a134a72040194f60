import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type ErrorCode, errors } from '#domain/kernel/errors.ts';
import { Refusal } from '#domain/kernel/refusal.ts';

const CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'TOO_SLOW',
};

export const answerBrokenRequest = (error: Error & { readonly code?: unknown }, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const code = CODES[String(error.code)] ?? 'BAD_INPUT';
  const { status, message } = errors[code];
  const body = JSON.stringify({ message, code, requestId: randomUUID() });
  if (socket.writable) {
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  }
  socket.destroy(error);
};

export const installBrokenRequests = (app: FastifyInstance): void => {
  // A server may ignore an expectation (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    app.server.emit('request', request, response);
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, httpVersion } = request.raw;
    done(httpVersion === '1.1' && headers.host === undefined ? new Refusal('BAD_INPUT') : undefined);
  });
};
