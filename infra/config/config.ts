import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { LIVE_HOLDS, UNPAID_HOLDS, UNPAID_HOLDS_PAUSE } from '#domain/kernel/policy.ts';
import { CannotStart } from '#infra/lib/cannot-start.ts';

export class BadConfiguration extends CannotStart {
  override readonly name = 'BadConfiguration';
}

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

export const isLoopback = (host: string): boolean =>
  LOOPBACK_NAMES.has(host) || (isIP(host) === 4 && host.startsWith('127.'));

const blankIsUnset = (value: unknown) =>
  typeof value === 'string' && value.trim() === '' ? undefined : value;
const optional = <Schema extends z.ZodType>(schema: Schema) => z.preprocess(blankIsUnset, schema.optional());
const text = optional(z.string().trim());

/** Not a URL: may name several nodes, `esdb://a:2113,b:2113?tls=false`. */
const eventStore = optional(
  z.string().regex(/^esdb(\+discover)?:\/\/[^\s/?#]+/, {
    error: 'must be a connection string that starts with esdb:// or esdb+discover://',
  }),
);

const urlWith = (...protocols: readonly string[]) =>
  optional(
    z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
      error: `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    }),
  );

const startingWith = (...beginnings: readonly string[]) =>
  optional(
    z
      .string()
      .trim()
      .refine((value) => beginnings.some((beginning) => value.startsWith(beginning)), {
        error: `must start with ${beginnings.join(' or ')}`,
      }),
  );

const key = optional(
  z
    .string()
    .refine(
      (value) => /^[0-9a-f]{64}$/i.test(value.trim()) || Buffer.from(value.trim(), 'base64').length === 32,
      { error: 'must be 32 bytes in base64 or as 64 hexadecimal digits' },
    ),
);

const publicKeys = optional(
  z
    .string()
    .transform((text) => text.split(',').map((one) => one.trim()))
    .refine((all) => all.every((one) => Buffer.from(one, 'base64url').length === 32), {
      error: 'must be public keys of 32 bytes in base64url, separated by commas',
    }),
);

const whole = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`;
  return optional(z.coerce.number({ error }).int({ error }).min(least, { error }).max(most, { error }));
};

const MOST_PROXIES = 10;
const BITS = { 0: 0, 4: 32, 6: 128 } as const;

const isNetwork = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.split('/');
  const most = BITS[isIP(address) as keyof typeof BITS];
  return (
    most > 0 && rest.length === 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= most))
  );
};

const proxies = optional(
  z
    .string()
    .transform((text) =>
      /^\d+$/.test(text.trim()) ? Number(text) : text.split(',').map((one) => one.trim()),
    )
    .refine((value) => (typeof value === 'number' ? value <= MOST_PROXIES : value.every(isNetwork)), {
      error: `must be a whole number from 0 to ${MOST_PROXIES}, or addresses and networks such as 10.0.0.0/8, separated by commas`,
    }),
);

/** Links are built by appending a path. */
const isOrigin = (value: string): boolean => {
  if (!URL.canParse(value)) return true;
  const { pathname, search, hash, username } = new URL(value);
  return `${pathname.replace(/^\/+$/, '')}${search}${hash}${username}` === '';
};

const SENDER = /^([^<>@]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/;

const variables = z.object({
  // A misspelt value would open a production site to the demo's accounts.
  NODE_ENV: optional(
    z.enum(['production', 'development', 'test'], { error: 'must be production, development or test' }),
  ),
  HOST: text,
  PORT: whole(0, 65_535),
  BASE_URL: urlWith('http:', 'https:').refine((value) => value === undefined || isOrigin(value), {
    error: 'must be scheme, host and port alone, such as https://tickets.example.com',
  }),
  DATA_DIR: text,
  ERASURE_REGISTER: text,
  DATABASE_URL: urlWith('postgres:', 'postgresql:'),
  DATABASE_OWNER_URL: urlWith('postgres:', 'postgresql:'),
  EVENT_STORE_URL: eventStore,
  // Swapped keys would go unnoticed until the first payment, and give the secret one to every browser.
  STRIPE_SECRET_KEY: startingWith('sk_', 'rk_'),
  STRIPE_PUBLISHABLE_KEY: startingWith('pk_'),
  STRIPE_WEBHOOK_SECRET: startingWith('whsec_'),
  PAYMENTS: optional(z.enum(['stripe', 'sandbox'], { error: 'must be stripe or sandbox' })),
  MASTER_KEY: key,
  NEW_MASTER_KEY: key,
  TICKET_SIGNING_KEY: key,
  CHECKPOINT_SIGNING_KEY: key,
  TICKET_RETIRED_KEYS: publicKeys,
  CHECKPOINT_RETIRED_KEYS: publicKeys,
  HOLD_SECONDS: whole(1, 3_600),
  LIVE_HOLDS: whole(1, 1_000),
  UNPAID_HOLDS: whole(1, 1_000),
  UNPAID_HOLDS_PAUSE_SECONDS: whole(1, 3_600),
  PREVIOUS_READ_MODELS_HOURS: whole(1, 8_760),
  RATE_LIMITS: optional(
    z.string().regex(/^(on|off|[1-9]\d{0,6})$/, { error: 'must be on, off, or a factor' }),
  ),
  WORK: optional(z.enum(['on', 'off', 'only'], { error: 'must be on, off or only' })),
  MAILS_AT_ONCE: whole(1, 50),
  SMTP_URL: urlWith('smtp:', 'smtps:'),
  MAIL_FROM: optional(
    z.string().trim().regex(SENDER, { error: 'must be an email address, or a name and <an address>' }),
  ),
  GOOGLE_CLIENT_ID: text,
  GOOGLE_CLIENT_SECRET: text,
  GOOGLE_ISSUER: urlWith('https:', 'http:'),
  DEMO: optional(z.enum(['on', 'plain', 'off'], { error: 'must be on, plain or off' })),
  SECOND_FACTOR: optional(z.enum(['required', 'optional'], { error: 'must be required or optional' })),
  TRUST_PROXY: proxies,
  METRICS_TOKEN: text,
  LOG_LEVEL: optional(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'must be a level of pino',
    }),
  ),
});
type Variables = z.infer<typeof variables>;
/** The names of all variables. @internal */
export const VARIABLES: readonly string[] = Object.keys(variables.shape);

export interface Config {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  readonly baseUrl: string;
  readonly dataDir: string;
  /** Unset: `erasures` in `dataDir`. */
  readonly erasureRegister: string | undefined;
  /** Unset: embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** For migrations, as the tables' owner. Unset: `databaseUrl`. */
  readonly databaseOwnerUrl: string | undefined;
  readonly eventStoreUrl: string | undefined;
  readonly payments: 'stripe' | 'sandbox';
  readonly stripe: { secretKey: string; publishableKey: string; webhookSecret: string } | undefined;
  readonly secrets: {
    readonly MASTER_KEY?: string;
    readonly TICKET_SIGNING_KEY?: string;
    readonly CHECKPOINT_SIGNING_KEY?: string;
  };
  /** For `npm run rotate-master-key`. */
  readonly newMasterKey: string | undefined;
  /** Base64url; tickets signed with them stay valid. */
  readonly retiredTicketKeys: readonly string[];
  readonly retiredCheckpointKeys: readonly string[];
  /** Milliseconds; unset: 15 minutes. */
  readonly holdFor: number | undefined;
  /** Milliseconds. Unset when `rateLimits` are off. */
  readonly holdLimits:
    | { readonly live: number; readonly unpaid: { readonly most: number; readonly pause: number } }
    | undefined;
  /** Milliseconds for which a rebuild can be switched back. */
  readonly keepPrevious: number;
  readonly rateLimits: number | 'off';
  /** Background work in command-api: also (`on`), not (`off`), or nothing else (`only`). */
  readonly work: 'on' | 'off' | 'only';
  /** Unset: files in `dataDir/outbox`. `atOnce` counts concurrent sends per process. */
  readonly mail: { smtpUrl: string | undefined; from: string; atOnce: number };
  readonly google: { clientId: string; clientSecret: string; issuer: string } | undefined;
  /** By default only where the site is reachable from this machine alone: the demo's passwords are public. */
  readonly demo: boolean;
  readonly demoPosters: boolean;
  readonly secondFactorRequired: boolean;
  /** Whose `X-Forwarded-*` headers are trusted: a number of hops, or addresses and networks. */
  readonly trustProxy: number | readonly string[];
  readonly metricsToken: string | undefined;
  readonly logLevel: string;
}

const pathOf = (url: string | undefined): string | undefined => url && new URL(url).pathname;

const contradictions = (env: Variables): string[] => {
  const lines: string[] = [];
  const together = (...names: readonly (keyof Variables)[]) => {
    if (!names.some((name) => env[name] !== undefined)) return;
    for (const name of names)
      if (env[name] === undefined) lines.push(`${name} is missing: ${names.join(', ')} go together`);
  };
  together('STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET');
  const [secret, publishable] = [env.STRIPE_SECRET_KEY, env.STRIPE_PUBLISHABLE_KEY];
  if (secret && publishable && secret.includes('_test_') !== publishable.includes('_test_'))
    lines.push('STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must both be test keys, or both live ones');
  together('GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET');
  if (env.DATABASE_OWNER_URL && pathOf(env.DATABASE_OWNER_URL) !== pathOf(env.DATABASE_URL))
    lines.push('DATABASE_OWNER_URL must lead to the database of DATABASE_URL');
  if (env.PAYMENTS === 'stripe' && !env.STRIPE_SECRET_KEY)
    lines.push('PAYMENTS=stripe needs STRIPE_SECRET_KEY');
  const issuer = env.GOOGLE_ISSUER ? new URL(env.GOOGLE_ISSUER) : undefined;
  if (issuer?.protocol === 'http:' && !isLoopback(issuer.hostname)) lines.push('GOOGLE_ISSUER must be https');
  if (env.NODE_ENV !== 'production') return lines;

  for (const name of ['MASTER_KEY', 'TICKET_SIGNING_KEY', 'CHECKPOINT_SIGNING_KEY', 'BASE_URL'] as const) {
    if (!env[name]) lines.push(`${name} is demanded in production`);
  }
  const base = env.BASE_URL ? new URL(env.BASE_URL) : undefined;
  if (base?.protocol === 'http:' && !isLoopback(base.hostname))
    lines.push('BASE_URL must be https in production');
  if (env.RATE_LIMITS && env.RATE_LIMITS !== 'on') lines.push('RATE_LIMITS can only be on in production');
  const own = new Set([env.MASTER_KEY, env.TICKET_SIGNING_KEY, env.CHECKPOINT_SIGNING_KEY].filter(Boolean));
  if (lines.length === 0 && own.size < 3)
    lines.push('MASTER_KEY, TICKET_SIGNING_KEY and CHECKPOINT_SIGNING_KEY must differ from each other');
  if (env.DEMO && env.DEMO !== 'off') lines.push(`DEMO=${env.DEMO} is refused in production`);
  if (!env.STRIPE_SECRET_KEY && env.PAYMENTS !== 'sandbox') {
    lines.push('PAYMENTS=sandbox has to be said in production, or STRIPE_SECRET_KEY given');
  }
  return lines;
};

const rateLimitsOf = (value: string | undefined): number | 'off' => {
  if (value === 'off') return 'off';
  return value === undefined || value === 'on' ? 1 : Number(value);
};

const holdLimitsOf = (env: Variables, factor: number): Config['holdLimits'] => {
  const seconds = env.UNPAID_HOLDS_PAUSE_SECONDS;
  const pause = seconds === undefined ? UNPAID_HOLDS_PAUSE : seconds * 1000;
  const most = (env.UNPAID_HOLDS ?? UNPAID_HOLDS) * factor;
  return { live: (env.LIVE_HOLDS ?? LIVE_HOLDS) * factor, unpaid: { most, pause } };
};

/** @throws BadConfiguration with every invalid variable */
export const readConfig = (
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Config => {
  const parsed = variables.safeParse(environment);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
    throw new BadConfiguration(`The configuration is not usable:\n  ${lines.join('\n  ')}`);
  }
  const env = parsed.data;
  const wrong = contradictions(env);
  if (wrong.length > 0)
    throw new BadConfiguration(`The configuration is not usable:\n  ${wrong.join('\n  ')}`);

  const production = env.NODE_ENV === 'production';
  const rateLimits = rateLimitsOf(env.RATE_LIMITS);
  const port = env.PORT ?? 3000;
  const host = env.HOST ?? (production ? '0.0.0.0' : 'localhost');
  const baseUrl = (env.BASE_URL ?? `http://localhost:${port}`).replace(/\/+$/, '');
  const trustProxy = env.TRUST_PROXY ?? 0;
  const onlyHere = isLoopback(host) && isLoopback(new URL(baseUrl).hostname) && trustProxy === 0;
  const { STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET } = env;
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET } = env;
  const stripe =
    STRIPE_SECRET_KEY && STRIPE_PUBLISHABLE_KEY && STRIPE_WEBHOOK_SECRET
      ? {
          secretKey: STRIPE_SECRET_KEY,
          publishableKey: STRIPE_PUBLISHABLE_KEY,
          webhookSecret: STRIPE_WEBHOOK_SECRET,
        }
      : undefined;
  return {
    production,
    host,
    port,
    baseUrl,
    dataDir: resolve(env.DATA_DIR ?? '.data'),
    erasureRegister: env.ERASURE_REGISTER === undefined ? undefined : resolve(env.ERASURE_REGISTER),
    databaseUrl: env.DATABASE_URL,
    databaseOwnerUrl: env.DATABASE_OWNER_URL,
    eventStoreUrl: env.EVENT_STORE_URL,
    payments: env.PAYMENTS ?? (stripe ? 'stripe' : 'sandbox'),
    stripe,
    secrets: {
      MASTER_KEY: env.MASTER_KEY,
      TICKET_SIGNING_KEY: env.TICKET_SIGNING_KEY,
      CHECKPOINT_SIGNING_KEY: env.CHECKPOINT_SIGNING_KEY,
    },
    newMasterKey: env.NEW_MASTER_KEY,
    retiredTicketKeys: env.TICKET_RETIRED_KEYS ?? [],
    retiredCheckpointKeys: env.CHECKPOINT_RETIRED_KEYS ?? [],
    holdFor: env.HOLD_SECONDS === undefined ? undefined : env.HOLD_SECONDS * 1000,
    holdLimits: rateLimits === 'off' ? undefined : holdLimitsOf(env, rateLimits),
    keepPrevious: (env.PREVIOUS_READ_MODELS_HOURS ?? 72) * 3_600_000,
    rateLimits,
    work: env.WORK ?? 'on',
    mail: {
      smtpUrl: env.SMTP_URL,
      from: env.MAIL_FROM ?? `Reprise <no-reply@${new URL(baseUrl).hostname}>`,
      atOnce: env.MAILS_AT_ONCE ?? 5,
    },
    google:
      GOOGLE_CLIENT_ID && GOOGLE_CLIENT_SECRET
        ? {
            clientId: GOOGLE_CLIENT_ID,
            clientSecret: GOOGLE_CLIENT_SECRET,
            issuer: env.GOOGLE_ISSUER ?? 'https://accounts.google.com',
          }
        : undefined,
    demo: env.DEMO ? env.DEMO !== 'off' : !production && onlyHere,
    demoPosters: env.DEMO !== 'plain',
    secondFactorRequired: env.SECOND_FACTOR ? env.SECOND_FACTOR === 'required' : production,
    trustProxy,
    metricsToken: env.METRICS_TOKEN,
    logLevel: env.LOG_LEVEL ?? 'info',
  };
};
