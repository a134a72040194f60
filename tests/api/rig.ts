/**
 * A command API for specs: real PostgreSQL, a log in memory, a clock that stands until it is moved, and browsers that
 * keep cookies and send the CSRF token as the client does.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { type AccountEnding, createCommandDeps } from '#command-api/deps.ts';
import { createPurchases } from '#command-api/purchase/purchases.ts';
import { type CommandApiDeps, createCommandApi } from '#command-api/server.ts';
import { allEvents } from '#domain/all-events.ts';
import { readConfig } from '#infra/config.ts';
import { createCodec } from '#infra/event-log/codec.ts';
import { MemoryEventLog } from '#infra/event-log/memory.ts';
import { createRateLimits } from '#infra/http/rate-limits.ts';
import type { App } from '#infra/http/server.ts';
import { createSessions } from '#infra/http/sessions.ts';
import { firstEmailClaims } from '#infra/keys/master-secrets.ts';
import { createPostgresKeyStore } from '#infra/keys/postgres.ts';
import { silentLogger } from '#infra/observability/logger.ts';
import { memoryGateway } from '#infra/payments/memory.ts';
import { openDatabase } from '#infra/postgres/database.ts';
import { createTicketSigner } from '#infra/tickets/ticket-signer.ts';
import { freshDatabase } from '#tests/kit/database.ts';

export const BASE_URL = 'http://localhost:3000';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A browser with the site's cookies. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #app: App;
  readonly #address: string;

  constructor(app: App, address: string) {
    this.#app = app;
    this.#address = address;
  }

  async call(method: Method, url: string, body?: object, headers: Record<string, string> = {}) {
    if (method !== 'GET' && !this.cookies.has('X-CSRF-Token')) await this.call('GET', '/api/auth/csrf-token');
    const csrf = this.cookies.get('X-CSRF-Token');
    const request: InjectOptions = {
      method,
      url,
      remoteAddress: this.#address,
      headers: {
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(method !== 'GET' && csrf ? { 'x-csrf-token': csrf } : {}),
        ...headers,
      },
    };
    const reply = await this.#app.inject(body === undefined ? request : { ...request, payload: body });
    this.#keep(reply);
    return reply;
  }

  #keep(reply: LightMyRequestResponse): void {
    for (const { name, value, expires, maxAge } of reply.cookies) {
      const gone = value === '' || maxAge === 0 || (expires !== undefined && expires.getTime() === 0);
      if (gone) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

export interface Rig {
  readonly app: App;
  readonly deps: CommandApiDeps;
  /** A browser without cookies; each has an address of its own unless one is given. */
  browser(address?: string): Browser;
  /** Moves the clock. */
  pass(milliseconds: number): void;
  /** The secret of the newest mail of a kind to an account. */
  mailedToken(kind: 'verify-email' | 'reset-password', accountId: string): Promise<string>;
  close(): Promise<void>;
}

export interface RigOptions {
  readonly env?: Record<string, string>;
  readonly ending?: Partial<AccountEnding>;
}

/** Starts a rig on a database of its own. Close it. */
export const startRig = async ({ env = {}, ending = {} }: RigOptions = {}): Promise<Rig> => {
  const database = openDatabase(await freshDatabase('tables'));
  let now = Date.parse('2026-03-01T12:00:00Z');
  const clock = () => new Date(now);
  const config = readConfig({ BASE_URL, ...env });
  const { pool } = database;
  const masterKey = new Uint8Array(randomBytes(32));
  const keys = createPostgresKeyStore({ pool, masterKey });
  const core = createCommandDeps({
    config,
    clock,
    logger: silentLogger(),
    database,
    log: new MemoryEventLog(),
    codec: createCodec(keys, allEvents),
    keys,
    sessions: createSessions({ pool, clock }),
    limits: createRateLimits({ factor: config.rateLimits, pool, clock }),
    secrets: { masterKey, emailClaims: firstEmailClaims(masterKey) },
  });
  const gateway = memoryGateway();
  const deps: CommandApiDeps = {
    ...core,
    gateway,
    purchases: createPurchases({ ...core, gateway }),
    signer: createTicketSigner(generateKeyPairSync('ed25519').privateKey),
    wake: () => undefined,
    ending: { endPurchases: async () => undefined, sweeps: [], ...ending },
  };
  const app = await createCommandApi(deps);
  let addresses = 0;
  return {
    app,
    deps,
    browser: (address = `192.0.2.${++addresses}`) => new Browser(app, address),
    pass(milliseconds) {
      now += milliseconds;
    },
    async mailedToken(kind, accountId) {
      const { rows } = await database.pool.query<{ data: { token: string } }>(
        'select data from app.outbox where kind = $1 and account_id = $2 order by id desc limit 1',
        [kind, accountId],
      );
      if (!rows[0]) throw new Error(`no ${kind} mail`);
      return rows[0].data.token;
    },
    async close() {
      await app.close();
      await core.lane.drain();
      await core.sessions.stop();
      await core.log.close();
      await keys.close();
      await database.close();
    },
  };
};
