import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { BadConfiguration, readConfig } from './config.ts';

const key = () => randomBytes(32).toString('base64');
const production = {
  NODE_ENV: 'production',
  BASE_URL: 'https://reprise.example/',
  MASTER_KEY: key(),
  TICKET_SIGNING_KEY: key(),
  CHECKPOINT_SIGNING_KEY: randomBytes(32).toString('hex'),
  PAYMENTS: 'sandbox',
};

describe('a configuration', () => {
  it('without variables is a local site with everything built in', () => {
    expect(readConfig({})).toMatchObject({
      production: false,
      port: 3000,
      baseUrl: 'http://localhost:3000',
      payments: 'sandbox',
      rateLimits: 1,
      google: undefined,
      demo: true,
    });
  });

  it.each([
    { BASE_URL: 'http://reprise.local:3000' },
    { BASE_URL: 'https://tickets.example.com' },
    { HOST: '0.0.0.0' },
    { HOST: '::' },
    { HOST: '192.168.1.20' },
    { TRUST_PROXY: '1' },
    { TRUST_PROXY: '127.0.0.1' },
  ])('has no demo, whose passwords are public, if others can reach the site: %o', (env) => {
    expect(readConfig(env).demo).toBe(false);
    expect(readConfig({ ...env, DEMO: 'on' })).toMatchObject({ demo: true, demoPosters: true });
    expect(readConfig({ ...env, DEMO: 'plain' })).toMatchObject({ demo: true, demoPosters: false });
  });

  it('with a list of EventStoreDB nodes is accepted in its own notation', () => {
    const url = 'esdb://one:2113,two:2113,three:2113?tls=false';
    expect(readConfig({ EVENT_STORE_URL: url }).eventStoreUrl).toBe(url);
  });

  it('takes purchases and runs jobs, unless configured otherwise', () => {
    expect(readConfig({})).toMatchObject({ work: 'on', mail: { atOnce: 5 } });
    for (const WORK of ['off', 'only'] as const) expect(readConfig({ WORK }).work).toBe(WORK);
    expect(readConfig({ MAILS_AT_ONCE: '12' }).mail.atOnce).toBe(12);
    expect(() => readConfig({ WORK: 'no', MAILS_AT_ONCE: '0' })).toThrow(
      /WORK must be on, off or only.*MAILS_AT_ONCE/s,
    );
  });

  it('with a sender is accepted with and without a name', () => {
    for (const from of ['tickets@reprise.example', 'Reprise <tickets@reprise.example>'])
      expect(readConfig({ MAIL_FROM: from }).mail.from).toBe(from);
  });

  it('with a number of proxies, or their addresses and networks, is accepted', () => {
    expect(readConfig({ TRUST_PROXY: '2' }).trustProxy).toBe(2);
    expect(readConfig({ TRUST_PROXY: '10.0.0.0/8, 2001:db8::1' }).trustProxy).toEqual([
      '10.0.0.0/8',
      '2001:db8::1',
    ]);
  });

  it('is the same as one with blank variables', () => {
    expect(readConfig({ DATABASE_URL: ' ', PORT: '' })).toMatchObject({ databaseUrl: undefined, port: 3000 });
  });
});

describe('an invalid variable', () => {
  it.each([
    ['PORT', { PORT: 'many' }],
    ['HOLD_SECONDS must be a whole number from 1 to 3600', { HOLD_SECONDS: '0' }],
    ['TRUST_PROXY must be a whole number from 0 to 10', { TRUST_PROXY: '1.5' }],
    ['TRUST_PROXY', { TRUST_PROXY: '11' }],
    ['TRUST_PROXY', { TRUST_PROXY: '10.0.0.0/33' }],
    ['TRUST_PROXY', { TRUST_PROXY: '10.0.0.1, proxy.example' }],
    ['NODE_ENV', { NODE_ENV: 'Production' }],
    ['BASE_URL', { BASE_URL: 'nowhere' }],
    ['BASE_URL', { BASE_URL: 'https://reprise.example/tickets' }],
    ['BASE_URL', { BASE_URL: 'https://reprise.example?from=mail' }],
    ['MAIL_FROM', { MAIL_FROM: 'Reprise' }],
    ['EVENT_STORE_URL', { EVENT_STORE_URL: 'http://127.0.0.1:2113' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://x' }],
    ['DATABASE_OWNER_URL', { DATABASE_OWNER_URL: 'postgres://owner@db/site' }],
    [
      'DATABASE_OWNER_URL',
      { DATABASE_URL: 'postgres://site@db/site', DATABASE_OWNER_URL: 'postgres://owner@db/other' },
    ],
    ['MASTER_KEY', { MASTER_KEY: 'short' }],
    ['TICKET_RETIRED_KEYS', { TICKET_RETIRED_KEYS: 'short' }],
    ['RATE_LIMITS', { RATE_LIMITS: 'none' }],
    ['STRIPE_WEBHOOK_SECRET', { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }],
    ['GOOGLE_CLIENT_SECRET', { GOOGLE_CLIENT_ID: 'x' }],
    ['GOOGLE_ISSUER', { GOOGLE_ISSUER: 'http://accounts.example' }],
    ['PAYMENTS', { PAYMENTS: 'stripe' }],
  ])('stops the start with a line that names %s, without its value', (name, env) => {
    expect(() => readConfig(env)).toThrow(BadConfiguration);
    expect(() => readConfig(env)).toThrow(name);
  });

  it('is reported together with the others', () => {
    expect(() => readConfig({ PORT: 'x', SMTP_URL: 'http://y' })).toThrow(/PORT(.|\n)*SMTP_URL/);
  });
});

describe('Stripe’s keys', () => {
  const stripe = (secret: string, publishable: string, webhook = 'whsec_1') => ({
    STRIPE_SECRET_KEY: secret,
    STRIPE_PUBLISHABLE_KEY: publishable,
    STRIPE_WEBHOOK_SECRET: webhook,
  });

  it.each([
    ['sk_test_1', 'pk_test_1'],
    ['rk_live_1', 'pk_live_1'],
  ])('can be %s and %s', (secretKey, publishableKey) => {
    const config = readConfig(stripe(secretKey, publishableKey));
    expect(config.stripe).toEqual({ secretKey, publishableKey, webhookSecret: 'whsec_1' });
  });

  it.each([
    ['STRIPE_PUBLISHABLE_KEY must start with pk_', stripe('pk_live_1', 'sk_live_1')],
    ['STRIPE_SECRET_KEY must start with sk_ or rk_', stripe('pk_live_1', 'pk_live_1')],
    ['STRIPE_WEBHOOK_SECRET must start with whsec_', stripe('sk_live_1', 'pk_live_1', 'we_1')],
    ['must both be test keys, or both live ones', stripe('sk_live_1', 'pk_test_1')],
    ['must both be test keys, or both live ones', stripe('rk_test_1', 'pk_live_1')],
  ])('are refused: %s', (words, env) => {
    expect(() => readConfig(env)).toThrow(words);
    expect(() => readConfig(env)).not.toThrow(/_1/);
  });
});

describe('a production environment', () => {
  it('is complete with its keys', () => {
    expect(readConfig(production)).toMatchObject({
      production: true,
      baseUrl: 'https://reprise.example',
      demo: false,
    });
  });

  it.each([
    ['MASTER_KEY', { MASTER_KEY: undefined }],
    ['must differ', { TICKET_SIGNING_KEY: production.MASTER_KEY }],
    ['BASE_URL', { BASE_URL: undefined }],
    ['BASE_URL', { BASE_URL: 'http://reprise.example' }],
    ['RATE_LIMITS', { RATE_LIMITS: 'off' }],
    ['RATE_LIMITS', { RATE_LIMITS: '100' }],
    ['DEMO', { DEMO: 'on' }],
    ['DEMO', { DEMO: 'plain' }],
    ['PAYMENTS', { PAYMENTS: undefined }],
  ])('is refused without a valid %s', (name, change) => {
    expect(() => readConfig({ ...production, ...change })).toThrow(name);
  });
});
