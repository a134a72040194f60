/** The headers that browsers enforce for us. */
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import Fastify, { type FastifyInstance } from 'fastify';

const STRIPE_SCRIPTS = ['https://js.stripe.com', 'https://*.js.stripe.com'];
const STRIPE_FRAMES = [...STRIPE_SCRIPTS, 'https://hooks.stripe.com'];

const PERMISSIONS = 'camera=(self), microphone=(), geolocation=(), payment=(self "https://js.stripe.com")';

const policies = (https: boolean): FastifyHelmetOptions => ({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'", ...STRIPE_SCRIPTS],
      // The design system and the card form set styles from scripts.
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'https:', 'data:'],
      fontSrc: ["'self'", 'data:'],
      // `'self'` is our own WebSocket too.
      connectSrc: ["'self'", 'https://api.stripe.com'],
      frameSrc: STRIPE_FRAMES,
      mediaSrc: ["'self'", 'blob:'],
      workerSrc: ["'self'", 'blob:'],
      manifestSrc: ["'self'"],
      objectSrc: ["'none'"],
      baseUri: ["'self'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      ...(https ? { upgradeInsecureRequests: [] } : {}),
    },
  },
  strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: false } : false,
  referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  crossOriginEmbedderPolicy: false,
});

const NOT_HELMETS = new Set(['content-type', 'content-length', 'date', 'connection']);

/**
 * What helmet says, asked once: the policy is the same for every answer, and helmet would write it anew for each,
 * which costs more than all other checks together.
 */
const headersOf = async (https: boolean): Promise<Readonly<Record<string, string>>> => {
  const asked = Fastify();
  await asked.register(helmet, policies(https));
  asked.get('/', async () => '');
  const { headers } = await asked.inject('/');
  await asked.close();
  const said = Object.entries(headers).filter(([name]) => !NOT_HELMETS.has(name));
  return Object.fromEntries(said.map(([name, value]) => [name, String(value)]));
};

/** @param https whether the site is reached over https */
export const installSecurityHeaders = async (app: FastifyInstance, https: boolean): Promise<void> => {
  const common = { ...(await headersOf(https)), 'permissions-policy': PERMISSIONS };
  const ofApi = { ...common, 'cache-control': 'no-store' };
  app.addHook('onRequest', (request, reply, done) => {
    // The route, not what was asked for: `/%61pi/…` leads there too.
    const path = request.routeOptions.url ?? request.url;
    reply.headers(path.startsWith('/api/') ? ofApi : common);
    done();
  });
};
