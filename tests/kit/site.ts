/** The site for specs of the APIs, in their own process and on a database of its own. */

import { registerAccount } from '#command-api/accounts/registration.ts';
import { type ActingHandler, systemContext } from '#command-api/commands/command-handler.ts';
import { type AccountEnding, createCommandDeps } from '#command-api/deps/deps.ts';
import { createPurchases } from '#command-api/purchase/purchases.ts';
import { type CommandApiDeps, commandRoutes } from '#command-api/server.ts';
import { type CommandService, openCommandService } from '#command-api/service.ts';
import { account } from '#domain/account/account.ts';
import type { Role } from '#domain/account/events.ts';
import { readConfig } from '#infra/config/config.ts';
import { toToken } from '#infra/event-log/checkpoint.ts';
import { type Foundation, layFoundation } from '#infra/foundation/foundation.ts';
import { type App, closeGracefully, createServer } from '#infra/http/server.ts';
import type { SessionFacts } from '#infra/http/sessions.ts';
import { type Clock, systemClock } from '#infra/lib/clock.ts';
import type { Logger } from '#infra/lib/logger.ts';
import { type SandboxAccount, sandboxAccount } from '#infra/payments/sandbox/account.ts';
import type { DatabaseUrls } from '#infra/postgres/roles.ts';
import { openProjectorService } from '#projector/service.ts';
import { openQueryService } from '#query-api/service.ts';
import { type Payable, paymentForm, paymentPath } from './card.ts';
import { freshDatabase } from './database.ts';
import { atTheEnd } from './endings.ts';
import { freshFolder } from './folder.ts';
import { memoryGateway } from './memory-gateway.ts';
import { MemoryEventLog } from './memory-log.ts';
import { silentLogger } from './silent-logger.ts';
import { Visitor } from './visitor.ts';

/** What people reach it at, as links in mails have it. */
export const BASE_URL = 'http://localhost:3000';

/** Somebody with an account, signed in. */
export interface Member {
  readonly id: string;
  readonly email: string;
  readonly browser: Visitor;
}

/** What every site for specs has. */
export type CommandApi = ReturnType<typeof commandApi>;

/** The command API alone. Its clock stands until it is moved, and nothing works in the background. */
export type StandingApi = Awaited<ReturnType<typeof startCommandApi>>;

export interface Site extends CommandApi {
  readonly foundation: Foundation;
  readonly commands: CommandService;
  readonly sandbox: SandboxAccount;
  /** Where it listens. It may be set to where nobody does, for the payment provider to be away. */
  origin: string;
  /** Sends a card to the payment provider. Resolves to its answer. */
  pay(intent: Payable, card?: string): Promise<{ readonly status: number; readonly body: PaymentAnswer }>;
  /** Resolves once everybody can read all that is in the log by now. */
  caughtUp(): Promise<void>;
}

/** As much of the provider's answer to a payment as specs look at. */
interface PaymentAnswer {
  readonly status?: string;
  readonly error?: { readonly code?: string; readonly message?: string };
}

const lay = async (
  env: Readonly<Record<string, string>>,
  clock = systemClock,
  given?: DatabaseUrls,
): Promise<Foundation> => {
  const urls = given ?? { databaseUrl: await freshDatabase('tables') };
  const config = readConfig({ DATA_DIR: await freshFolder(), DEMO: 'off', BASE_URL, ...env });
  const foundation = await layFoundation({ name: 'spec', config, ...urls, logger: silentLogger(), clock });
  atTheEnd(() => foundation.close());
  return foundation;
};

const serverOf = ({ config, sessions, limits, log, logger }: Foundation): Promise<App> =>
  createServer({ config, sessions, limits, logId: log.id, logger });

const commandApi = (app: App, deps: CommandApiDeps) => {
  const { clock, handler, sessions, log } = deps;
  let visitors = 0;
  let members = 0;
  /** The command handler in the system's hands: for what no call does. */
  const acting = (): ActingHandler => handler.as(systemContext(clock, 'spec'));
  /** A browser without cookies. Each has an address of its own unless one is given. */
  const visitor = (address = `192.0.2.${++visitors % 250}`): Visitor => new Visitor(app, address);
  /** A browser with a session that says this of its account, whether there is one or not. */
  const signedIn = async (facts: SessionFacts): Promise<Visitor> => {
    const browser = visitor();
    browser.cookies.set('reprise-session', (await sessions.open(facts)).token);
    return browser;
  };
  return {
    ...{ app, deps, acting, visitor, signedIn },
    /** Somebody with an account, signed in without a password, who may buy. */
    async member(role: Role = 'user', firstName = 'Ann'): Promise<Member> {
      const email = `${firstName}${++members}@people.example`.toLowerCase();
      const person = { email, firstName, lastName: 'Ashby', profileImageUrl: null, role } as const;
      const how = { verified: true, via: 'password', password: null } as const;
      const by = acting();
      const { accountId } = await registerAccount(deps, { ...person, ...how }, by);
      const profile = { dateOfBirth: '1990-04-05', favoriteCategories: [], at: by.context.at };
      await by.do(account, accountId, { type: 'CompleteProfile', ...profile });
      const browser = await signedIn({ accountId, role, emailVerified: true, profileComplete: true });
      browser.position = toToken(log.id, by.position);
      return { id: accountId, email, browser };
    },
  };
};

export interface StandingOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Default: one that writes nothing. */
  readonly logger?: Logger;
  /** Instead of how an account's purchases and traces end. */
  readonly ending?: Partial<AccountEnding>;
}

/** Starts the command API alone, on a log in memory. It ends with the specs of the file. */
export const startCommandApi = async ({
  env = {},
  ending,
  logger = silentLogger(),
}: StandingOptions = {}) => {
  let now = Date.parse('2026-03-01T12:00:00Z');
  const foundation = { ...(await lay(env, () => new Date(now))), log: new MemoryEventLog(), logger };
  const { pool } = foundation.database;
  const core = createCommandDeps(foundation);
  const gateway = memoryGateway();
  const deps: CommandApiDeps = {
    ...core,
    gateway,
    purchases: createPurchases({ ...core, gateway }),
    signer: foundation.signer,
    images: foundation.images,
    wake: () => undefined,
    ending: { endPurchases: async () => undefined, sayFarewell: async () => true, sweeps: [], ...ending },
  };
  const app = await serverOf(foundation);
  commandRoutes(app, deps);
  atTheEnd(async () => {
    await app.close();
    await core.handler.drain();
  });
  return {
    ...commandApi(app, deps),
    /** Moves the clock. */
    pass(milliseconds: number): void {
      now += milliseconds;
    },
    /** The secret of the newest mail of a kind to an account. */
    async mailedToken(kind: 'verify-email' | 'reset-password', accountId: string): Promise<string> {
      const { rows } = await pool.query<{ data: { token: string } }>(
        'select data from app.outbox where kind = $1 and account_id = $2 order by id desc limit 1',
        [kind, accountId],
      );
      if (!rows[0]) throw new Error(`no ${kind} mail`);
      return rows[0].data.token;
    },
  };
};

export interface SiteOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The database. Default: a fresh one. */
  readonly urls?: DatabaseUrls;
  /** What the query API takes for the time. Default: the machine's clock, as everything else. */
  readonly queryClock?: Clock;
}

/**
 * Starts the whole site, without limits: the log in PostgreSQL, the projector, both APIs, the payment sandbox, and what works in
 * the background. It ends with the specs of the file.
 */
export const startSite = async ({
  env = {},
  urls,
  queryClock = systemClock,
}: SiteOptions = {}): Promise<Site> => {
  const foundation = await lay({ RATE_LIMITS: 'off', ...env }, systemClock, urls);
  const { log, database } = foundation;
  const projector = await openProjectorService(foundation);
  const queries = await openQueryService({ ...foundation, clock: queryClock });
  const commands = await openCommandService(foundation, { origin: () => site.origin, reconcileEvery: 500 });
  const app = await serverOf(foundation);
  await commands.install(app);
  await queries.install(app);
  const api = commandApi(app, commands.deps);
  const sandbox = await sandboxAccount(database.pool);
  const site: Site = {
    ...api,
    foundation,
    commands,
    sandbox,
    origin: await app.listen({ host: '127.0.0.1', port: 0 }),
    async pay(intent, card) {
      const body = paymentForm(sandbox.publishableKey, intent, card);
      const reply = await fetch(site.origin + paymentPath(intent), { method: 'POST', body });
      return { status: reply.status, body: (await reply.json()) as PaymentAnswer };
    },
    async caughtUp() {
      const reader = api.visitor();
      reader.position = toToken(log.id, await log.head());
      if ((await reader.get('/api/cities')).headers.has('x-stale'))
        throw new Error('the projector stands still');
    },
  };
  await commands.startWorking();
  atTheEnd(async () => {
    await closeGracefully(app, 500);
    await commands.stop();
    await queries.stop();
    await projector.stop();
  });
  return site;
};
