/** The headers that browsers enforce for us. The proxy sends the same with the client's files (`infra/Caddyfile`). */
import type { FastifyInstance } from 'fastify';
import { DOCS_PATH } from './docs.ts';

const STRIPE_SCRIPTS = 'https://js.stripe.com https://*.js.stripe.com';

/** What a page may load and from where. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  `script-src 'self' ${STRIPE_SCRIPTS}`,
  // The design system and the card form set styles from scripts.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' https: data:",
  "font-src 'self' data:",
  // `'self'` is our own WebSocket too.
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

/** Where the worker is that reads codes for the scanner. */
const READER = '/assets/reader-worker-';
/** A worker goes by the policy of its own file. Only this one may compile WebAssembly. */
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
  // Off: the filter of old browsers did more harm than good.
  'x-xss-protection': '0',
};

const HTTPS_ONLY = { 'strict-transport-security': 'max-age=31536000' };

/** For a site that is reached over https. */
const OVER_HTTPS = {
  ...ALWAYS,
  ...HTTPS_ONLY,
  'content-security-policy': `${CONTENT_SECURITY_POLICY};upgrade-insecure-requests`,
};

/**
 * For the API's data, which is no page: where a browser opens it as one, it may do nothing. What only pages heed is left out, since
 * these headers are a tenth of what a small answer costs (docs/decisions/150-sale.md).
 */
const DATA = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

/** @param https whether the site is reached over https */
export const installSecurityHeaders = (app: FastifyInstance, https: boolean): void => {
  const common = https ? OVER_HTTPS : ALWAYS;
  const ofData = https ? { ...DATA, ...HTTPS_ONLY } : DATA;
  const ofDocs = { ...common, 'cache-control': 'no-store' };
  const ofReader = { ...common, 'content-security-policy': READER_POLICY };
  app.addHook('onRequest', (request, reply, done) => {
    // The route, not what was asked for: `/%61pi/…` leads there too.
    const path = request.routeOptions.url ?? request.url;
    if (path.startsWith(DOCS_PATH)) reply.headers(ofDocs);
    else if (path.startsWith('/api/')) reply.headers(ofData);
    else reply.headers(path.startsWith(READER) ? ofReader : common);
    done();
  });
};
