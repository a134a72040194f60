/**
 * The whole site for specs, in one process on a database of its own: the log in PostgreSQL, the projector running, the payment
 * sandbox, and browsers that keep cookies, send the CSRF token and carry the highest position that they have seen.
 */
import { registerAccount } from '#command-api/accounts/registration.ts';
import { type ActingLane, systemContext } from '#command-api/lane/lane.ts';
import { type CommandService, openCommandService } from '#command-api/service.ts';
import type { Role } from '#domain/account/events.ts';
import type { PaymentIntent } from '#domain/contracts/payments.ts';
import { systemClock } from '#infra/clock.ts';
import { readConfig } from '#infra/config.ts';
import { toToken } from '#infra/event-log/checkpoint.ts';
import { type Foundation, layFoundation } from '#infra/foundation.ts';
import { closeGracefully, createServer } from '#infra/http/server.ts';
import { silentLogger } from '#infra/observability/logger.ts';
import { sandboxAccount } from '#infra/payments/sandbox/account.ts';
import { SANDBOX_PATH } from '#infra/payments/sandbox/plugin.ts';
import { openProjectorService } from '#projector/service.ts';
import { openQueryService } from '#query-api/service.ts';
import { freshDatabase } from '#tests/kit/database.ts';
import { freshFolder } from '#tests/kit/folder.ts';

const PASSWORD = 'correct horse';
/** How long a reader asks again before a stale answer is taken as it is, in milliseconds. */
const PATIENCE = 60_000;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed where it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server said; specs hold it to its contract
  readonly body: any;
}

/** Somebody's browser. */
export class Visitor {
  readonly origin: string;
  readonly #cookies = new Map<string, string>();
  /** The highest position seen, as the client carries it. */
  position: string | undefined;

  constructor(origin: string) {
    this.origin = origin;
  }

  async call(
    method: Method,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    if (method !== 'GET' && !this.#cookies.has('X-CSRF-Token')) await this.get('/api/auth/csrf-token');
    const csrf = this.#cookies.get('X-CSRF-Token');
    const reply = await fetch(this.origin + path, {
      method,
      redirect: 'manual',
      headers: {
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(method !== 'GET' && csrf ? { 'x-csrf-token': csrf } : {}),
        ...(this.position ? { 'x-min-position': this.position } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    for (const cookie of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    const position = reply.headers.get('x-log-position');
    if (position && position > (this.position ?? '')) this.position = position;
    const text = await reply.text();
    const json = reply.headers.get('content-type')?.startsWith('application/json');
    return { status: reply.status, headers: reply.headers, body: json ? JSON.parse(text) : text };
  }

  /** Reads, and asks again while the read models aren't there yet: on a busy machine that may take longer than a query waits. */
  async get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    const deadline = performance.now() + PATIENCE;
    for (;;) {
      const answer = await this.call('GET', path, undefined, headers);
      const early = answer.headers.has('x-stale') || answer.status === 503;
      if (!early || performance.now() > deadline) return answer;
    }
  }

  post(path: string, body: object = {}): Promise<Answer> {
    return this.call('POST', path, body);
  }
}

/** Somebody with an account, signed in. */
export interface Member {
  readonly id: string;
  readonly email: string;
  readonly browser: Visitor;
}

export interface Site {
  readonly foundation: Foundation;
  readonly commands: CommandService;
  visitor(): Visitor;
  /** Somebody who may buy, unless told otherwise. */
  member(role?: Role, name?: string): Promise<Member>;
  /** Pays an intent with a test card. */
  pay(intent: Pick<PaymentIntent, 'paymentIntentId' | 'clientSecret'>): Promise<void>;
  /** Who specs act as where no call does it. */
  acting(): ActingLane;
  /** Resolves once everybody can read all that is in the log by now. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a site. Close it. */
export const startSite = async (): Promise<Site> => {
  const databaseUrl = await freshDatabase('tables');
  const dataDir = await freshFolder();
  const config = readConfig({
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    DEMO: 'off',
    BASE_URL: 'http://localhost:3000',
  });
  const logger = silentLogger();
  const foundation = await layFoundation({ name: 'spec', config, databaseUrl, logger, clock: systemClock });
  let origin = '';
  const projector = await openProjectorService(foundation);
  const queries = await openQueryService(foundation);
  const commands = await openCommandService(foundation, { origin: () => origin });
  const { sessions, limits, log, clock, database } = foundation;
  const app = await createServer({ config, sessions, limits, logId: log.id, logger });
  await commands.install(app);
  await queries.install(app);
  origin = await app.listen({ host: '127.0.0.1', port: 0 });
  await commands.startWorking();
  const { publishableKey } = await sandboxAccount(database.pool);
  const acting = (): ActingLane => commands.deps.lane.as(systemContext(clock, 'spec'));
  let members = 0;

  return {
    foundation,
    commands,
    acting,
    async caughtUp() {
      const reader = new Visitor(origin);
      reader.position = toToken(log.id, await log.head());
      if ((await reader.get('/api/cities')).headers.has('x-stale'))
        throw new Error('the projector stands still');
    },
    visitor: () => new Visitor(origin),
    async member(role = 'user', firstName = 'Ann') {
      const email = `${firstName}${++members}@people.example`.toLowerCase();
      const person = { email, firstName, lastName: 'Ashby', profileImageUrl: null, role } as const;
      const how = { verified: true, via: 'password', password: PASSWORD } as const;
      const { accountId } = await registerAccount(commands.deps, { ...person, ...how }, acting());
      const browser = new Visitor(origin);
      await browser.post('/api/auth/login', { email, password: PASSWORD });
      await browser.call('PATCH', '/api/profile/enhance', { dateOfBirth: '1990-04-05' });
      return { id: accountId, email, browser };
    },
    async pay({ paymentIntentId, clientSecret }) {
      const reply = await fetch(`${origin}${SANDBOX_PATH}/v1/payment_intents/${paymentIntentId}/confirm`, {
        method: 'POST',
        body: new URLSearchParams({
          key: publishableKey,
          client_secret: clientSecret ?? '',
          'payment_method_data[type]': 'card',
          'payment_method_data[card][number]': '4242424242424242',
          'payment_method_data[card][exp_month]': '12',
          'payment_method_data[card][exp_year]': '2040',
          'payment_method_data[card][cvc]': '123',
        }),
      });
      if (!reply.ok) throw new Error(`the sandbox refused: ${await reply.text()}`);
    },
    async close() {
      await closeGracefully(app, 500);
      await commands.stop();
      await queries.stop();
      await projector.stop();
      await foundation.close();
    },
  };
};
