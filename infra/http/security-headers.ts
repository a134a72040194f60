import type { FastifyInstance } from 'fastify';
import { DOCS_PATH } from './docs.ts';

const STRIPE_SCRIPTS = 'https://js.stripe.com https://*.js.stripe.com';

const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  `script-src 'self' ${STRIPE_SCRIPTS}`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' https: data:",
  "font-src 'self' data:",
  // With our WebSocket.
  "connect-src 'self' https://api.stripe.com",
  `frame-src ${STRIPE_SCRIPTS} https://hooks.stripe.com`,
  "media-src 'self' blob:",
  "worker-src 'self'",
  "manifest-src 'self'",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join(';');

const READER = '/assets/reader-worker-';
/** A worker is governed by its own file's policy; only this one may compile WebAssembly. */
const READER_POLICY = "default-src 'none';script-src 'self' 'wasm-unsafe-eval';connect-src 'self'";

const ALWAYS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy':
    'camera=(self), microphone=(), geolocation=(), payment=(self "https://js.stripe.com")',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};

const HTTPS_ONLY = { 'strict-transport-security': 'max-age=31536000' };

const OVER_HTTPS = {
  ...ALWAYS,
  ...HTTPS_ONLY,
  'content-security-policy': `${CONTENT_SECURITY_POLICY};upgrade-insecure-requests`,
};

/**
 * An answer opened as a page may load and run nothing. Page-only headers are left out: headers cost a tenth
 * of a small answer (docs/decisions/150-sale.md).
 */
const DATA = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

export const installSecurityHeaders = (app: FastifyInstance, https: boolean): void => {
  const common = https ? OVER_HTTPS : ALWAYS;
  const ofData = https ? { ...DATA, ...HTTPS_ONLY } : DATA;
  const ofDocs = { ...common, 'cache-control': 'no-store' };
  const ofReader = { ...common, 'content-security-policy': READER_POLICY };
  app.addHook('onRequest', (request, reply, done) => {
    // The URL may be written otherwise: `/%61pi/…`.
    const path = request.routeOptions.url ?? request.url;
    if (path.startsWith(DOCS_PATH)) reply.headers(ofDocs);
    else if (path.startsWith('/api/')) reply.headers(ofData);
    else reply.headers(path.startsWith(READER) ? ofReader : common);
    done();
  });
};
