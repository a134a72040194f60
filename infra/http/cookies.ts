import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SIGNED_IN_HINT } from '#domain/contracts/envelope.ts';
import { CSRF_NAME, mintCsrf } from './csrf.ts';
import { DEVICE_LIFE } from './known-devices.ts';
import type { OpenedSession } from './sessions.ts';

export interface Cookies {
  sessionToken(request: FastifyRequest): string | null;
  csrfToken(request: FastifyRequest): string | undefined;
  startSession(reply: FastifyReply, session: OpenedSession): string;
  endSession(reply: FastifyReply): string;
  device(request: FastifyRequest): string | undefined;
  keepDevice(reply: FastifyReply, value: string): void;
  giveCsrf(reply: FastifyReply, sessionToken: string | null): string;
}

/** @param secure https: `__Host-` cookies */
export const createCookies = (secure: boolean): Cookies => {
  const prefix = secure ? '__Host-' : '';
  const sessionName = `${prefix}reprise-session`;
  const csrfName = `${prefix}${CSRF_NAME}`;
  const deviceName = `${prefix}reprise-device`;
  const common: CookieSerializeOptions = { path: '/', sameSite: 'lax', secure };

  const giveCsrf = (reply: FastifyReply, sessionToken: string | null): string => {
    const token = mintCsrf(sessionToken);
    reply.setCookie(csrfName, token, { ...common, httpOnly: false });
    return token;
  };
  return {
    giveCsrf,
    device: (request) => request.cookies[deviceName],
    keepDevice(reply, value) {
      reply.setCookie(deviceName, value, { ...common, httpOnly: true, maxAge: DEVICE_LIFE });
    },
    sessionToken: (request) => request.cookies[sessionName] ?? null,
    csrfToken: (request) => request.cookies[csrfName],
    startSession(reply, session) {
      reply.setCookie(sessionName, session.token, { ...common, httpOnly: true, expires: session.endsAt });
      reply.setCookie(SIGNED_IN_HINT, '1', { ...common, httpOnly: false, expires: session.endsAt });
      return giveCsrf(reply, session.token);
    },
    endSession(reply) {
      reply.clearCookie(sessionName, { ...common, httpOnly: true });
      reply.clearCookie(SIGNED_IN_HINT, common);
      return giveCsrf(reply, null);
    },
  };
};
