/**
 * The site's cookies: the session's and the device's, which no script can read; the CSRF token's, which the client reads; and a hint
 * that there is a session, so that the client asks who is signed in only if somebody is.
 */
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SIGNED_IN_HINT } from '#domain/contracts/envelope.ts';
import { CSRF_NAME, mintCsrf } from './csrf.ts';
import { DEVICE_LIFE } from './known-devices.ts';
import type { OpenedSession } from './sessions.ts';

/** Sets and reads the cookies of one site. */
export interface Cookies {
  /** The session's token that a request came with. */
  sessionToken(request: FastifyRequest): string | null;
  csrfToken(request: FastifyRequest): string | undefined;
  /** Signs in: a new session cookie, and a CSRF token that belongs to it. Returns that token. */
  startSession(reply: FastifyReply, session: OpenedSession): string;
  /** Signs out: the session's cookie goes, and a visitor's CSRF token comes. Returns that token. */
  endSession(reply: FastifyReply): string;
  /** What the device knows of those who have signed in there (`known-devices.ts`). It outlives sessions. */
  device(request: FastifyRequest): string | undefined;
  keepDevice(reply: FastifyReply, value: string): void;
  /** Gives a CSRF token that belongs to the session, or to a visitor (`null`). */
  giveCsrf(reply: FastifyReply, sessionToken: string | null): string;
}

/** @param secure whether the site is reached over https; the session's and the CSRF token's cookies are then bound to the host. */
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
