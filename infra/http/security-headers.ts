/** The headers that browsers enforce for us. The proxy sends the same with the client's files (`infra/Caddyfile`). */
import type { FastifyInstance } from 'fastify';

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

/** For a site that is reached over https. */
const OVER_HTTPS = {
  ...ALWAYS,
  'content-security-policy': `${CONTENT_SECURITY_POLICY};upgrade-insecure-requests`,
  'strict-transport-security': 'max-age=31536000',
};

/** @param https whether the site is reached over https */
export const installSecurityHeaders = (app: FastifyInstance, https: boolean): void => {
  const common = https ? OVER_HTTPS : ALWAYS;
  const ofApi = { ...common, 'cache-control': 'no-store' };
  const ofReader = { ...common, 'content-security-policy': READER_POLICY };
  app.addHook('onRequest', (request, reply, done) => {
    // The route, not what was asked for: `/%61pi/…` leads there too.
    const path = request.routeOptions.url ?? request.url;
    reply.headers(path.startsWith('/api/') ? ofApi : path.startsWith(READER) ? ofReader : common);
    done();
  });
};
