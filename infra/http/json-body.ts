/** Reads JSON bodies. They must be valid UTF-8, without NUL and lone surrogates. Of a signed body only the bytes are kept. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '#domain/kernel/refusal.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body's bytes, of a call that is `signed`. */
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

/** Whether no text in a parsed value contains NUL or a lone surrogate. Not recursive, since the caller decides how deep a value is. */
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

/**
 * Installs the only body parser: other content types answer 415. A plugin that needs another type adds a parser in its own
 * scope. An empty body counts as no body.
 */
export const installJsonBody = (app: FastifyInstance): void => {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.decorateRequest('rawBody', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request: FastifyRequest, body: Buffer, done) => {
      // Whoever checks the signature parses it.
      if (request.routeOptions.config.signed) {
        request.rawBody = body;
        return done(null, undefined);
      }
      if (body.length === 0) return done(null, undefined);
      const text = decode(body);
      parse(request, text, (error, value) => {
        if (error) return done(new Refusal('BAD_JSON', {}, { cause: error }));
        // Valid UTF-8 has no lone surrogates; only escapes can bring them in.
        if (text.includes('\\u') && !isCleanValue(value)) return done(new Refusal('BAD_INPUT'));
        done(null, value);
      });
    },
  );
  app.addHook('onRequest', (request, _reply, done) => {
    done(request.url.includes('%00') ? new Refusal('BAD_INPUT') : undefined);
  });
};
