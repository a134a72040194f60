import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '#domain/kernel/refusal.ts';

declare module 'fastify' {
  interface FastifyRequest {
    rawBody: Buffer | null;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

const decode = (body: Buffer): string => {
  try {
    return utf8.decode(body);
  } catch (cause) {
    throw new Refusal('BAD_JSON', {}, { cause });
  }
};

const isClean = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** False for NUL or a lone surrogate. Iterative: the caller controls the depth. */
export const isCleanValue = (value: unknown): boolean => {
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'string' && !isClean(next)) return false;
    if (typeof next !== 'object' || next === null) continue;
    for (const [name, inner] of Object.entries(next)) {
      if (!isClean(name)) return false;
      waiting.push(inner);
    }
  }
  return true;
};

/** The only body parser: other types get 415. Plugins add parsers in their own scope. */
export const installJsonBody = (app: FastifyInstance): void => {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.decorateRequest('rawBody', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request: FastifyRequest, body: Buffer, done) => {
      if (request.routeOptions.config.signed) {
        request.rawBody = body;
        return done(null, undefined);
      }
      if (body.length === 0) return done(null, undefined);
      const text = decode(body);
      parse(request, text, (error, value) => {
        if (error) return done(new Refusal('BAD_JSON', {}, { cause: error }));
        // Valid UTF-8 has no lone surrogates, but escapes may.
        if (text.includes('\\u') && !isCleanValue(value)) return done(new Refusal('BAD_INPUT'));
        done(null, value);
      });
    },
  );
  app.addHook('onRequest', (request, _reply, done) => {
    done(request.url.includes('%00') ? new Refusal('BAD_INPUT') : undefined);
  });
};
