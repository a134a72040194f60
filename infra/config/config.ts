/**
 * The configuration: every variable that the product reads, checked once at start. Nothing else reads the
 * environment, but for the legs of tests that ask for a test service.
 */
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { LIVE_HOLDS, UNPAID_HOLDS, UNPAID_HOLDS_PAUSE } from '#domain/kernel/policy.ts';
import { CannotStart } from '#infra/lib/cannot-start.ts';

/** Thrown at start for a bad variable. The message has a line for each, and names it; values are not repeated. */
export class BadConfiguration extends CannotStart {
  override readonly name = 'BadConfiguration';
}

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/** Whether a host name is this machine itself; plain http is good enough there. */
export const isLoopback = (host: string): boolean =>
  LOOPBACK_NAMES.has(host) || (isIP(host) === 4 && host.startsWith('127.'));

const blankIsUnset = (value: unknown) =>
  typeof value === 'string' && value.trim() === '' ? undefined : value;
const optional = <Schema extends z.ZodType>(schema: Schema) => z.preprocess(blankIsUnset, schema.optional());
const text = optional(z.string().trim());

/** As EventStoreDB writes it: unlike a URL it may name several nodes, `esdb://a:2113,b:2113?tls=false`. */
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

/** 32 bytes, as `infra/keys/files.ts` reads them. */
const key = optional(
  z
    .string()
    .refine(
      (value) => /^[0-9a-f]{64}$/i.test(value.trim()) || Buffer.from(value.trim(), 'base64').length === 32,
      { error: 'must be 32 bytes in base64 or as 64 hexadecimal digits' },
    ),
);

/** As `/.well-known/ticket-keys.json` and `checkpoint-keys.json` show them. */
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

/** An IP address, or a network of them such as `10.0.0.0/8`. */
const isNetwork = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.split('/');
  const most = BITS[isIP(address) as keyof typeof BITS];
  return (
    most > 0 && rest.length === 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= most))
  );
};

/** A number of proxies, or a list of addresses and networks. */
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

/** Links are made by adding paths to it, so it can have none of its own. */
const isOrigin = (value: string): boolean => {
  if (!URL.canParse(value)) return true; // that is told already
  const { pathname, search, hash, username } = new URL(value);
  return `${pathname.replace(/^\/+$/, '')}${search}${hash}${username}` === '';
};

/** `someone@example.com`, or `Some Name <someone@example.com>`. */
const SENDER = /^([^<>@]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/;

const variables = z.object({
  // A misspelt one would open a production site to the demo's accounts.
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
  // Swapped ones would work until somebody pays, and show the secret one to every browser.
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

/** The product's settings, checked. */
export interface Config {
  /** `NODE_ENV=production`: keys are demanded, limits can't be switched off, no demo data. */
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  /** Where people reach the site, without a slash at the end. */
  readonly baseUrl: string;
  /** Absolute path; holds the embedded database, keys, mail and images. */
  readonly dataDir: string;
  /** The file that names whose keys were destroyed. Unset: `erasures` in `dataDir`. */
  readonly erasureRegister: string | undefined;
  /** Unset: an embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** Connects as the owner of the tables, who migrates them. Unset: `databaseUrl` does. */
  readonly databaseOwnerUrl: string | undefined;
  /** Unset: the log lives in PostgreSQL. */
  readonly eventStoreUrl: string | undefined;
  readonly payments: 'stripe' | 'sandbox';
  /** Present when the provider's three keys are. */
  readonly stripe: { secretKey: string; publishableKey: string; webhookSecret: string } | undefined;
  /** What `loadSecrets` (`infra/keys/files.ts`) takes. Unset ones are made once under `dataDir/keys`. */
  readonly secrets: {
    readonly MASTER_KEY?: string;
    readonly TICKET_SIGNING_KEY?: string;
    readonly CHECKPOINT_SIGNING_KEY?: string;
  };
  /** The master key that is to take the place of `MASTER_KEY`: for `npm run rotate-master-key` alone. */
  readonly newMasterKey: string | undefined;
  /** Public halves of former ticket keys, in base64url: the tickets that they signed stay good. */
  readonly retiredTicketKeys: readonly string[];
  /** Public halves of former checkpoint keys, in base64url: the checkpoints that they signed stay good. */
  readonly retiredCheckpointKeys: readonly string[];
  /** How long tickets are held for a buyer, in milliseconds; unset: 15 minutes. */
  readonly holdFor: number | undefined;
  /** What an account may hold without buying; the pause in milliseconds. Unset where `rateLimits` are off. */
  readonly holdLimits:
    | { readonly live: number; readonly unpaid: { readonly most: number; readonly pause: number } }
    | undefined;
  /** For how long the read models that a rebuild replaced can be switched back to, in milliseconds. */
  readonly keepPrevious: number;
  /** What every limit of `infra/http/rate-limits.ts` is multiplied by; `off` lifts them all. */
  readonly rateLimits: number | 'off';
  /** Whether a command-api does the work behind changes too (`on`), leaves it to others (`off`), or does nothing else (`only`). */
  readonly work: 'on' | 'off' | 'only';
  /** `smtpUrl` unset: mails are files in `dataDir/outbox`. `atOnce`: how many are sent at the same time by one process. */
  readonly mail: { smtpUrl: string | undefined; from: string; atOnce: number };
  /** Unset: Google sign-in says that it is not configured. */
  readonly google: { clientId: string; clientSecret: string; issuer: string } | undefined;
  /** Whether the demo is brought in: by itself only where nobody but this machine reaches the site, since its passwords are public. */
  readonly demo: boolean;
  /** Whether the demo's events get posters, which take most of its time to draw. */
  readonly demoPosters: boolean;
  /** Whether staff and above need a second factor for more than a customer's rights. */
  readonly secondFactorRequired: boolean;
  /** Whose `X-Forwarded-*` headers are believed: so many proxies in front, or those at these addresses and networks. */
  readonly trustProxy: number | readonly string[];
  /** Lets somebody from elsewhere read `/metrics`, as a bearer token. */
  readonly metricsToken: string | undefined;
  readonly logLevel: string;
}

const pathOf = (url: string | undefined): string | undefined => url && new URL(url).pathname;

/** The settings that need each other, and what production demands: a line for each that is wrong. */
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

/**
 * Reads and checks the environment.
 * @throws BadConfiguration with a line for every variable that is wrong
 */
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
