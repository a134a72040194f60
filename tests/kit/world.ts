/**
 * The purchase in memory: log, provider, clock, mails and jobs, with processes that can be killed at any step. Jobs
 * run by the product's own handlers, on the product's own policies; only their table is a map.
 */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import {
  type ActingHandler,
  type CommandHandler,
  createCommandHandler,
  systemContext,
} from '#command-api/commands/command-handler.ts';
import type { Job, NewJob } from '#command-api/jobs/jobs.ts';
import type { Handler, Handlers } from '#command-api/jobs/worker.ts';
import { workOf } from '#command-api/policies/policies.ts';
import { createReconciler } from '#command-api/policies/reconcile.ts';
import { createHandlers } from '#command-api/policies/work.ts';
import { bookCheckout } from '#command-api/purchase/book-checkout.ts';
import { allocateAttempt, openCheckout } from '#command-api/purchase/open-checkout.ts';
import type { PendingRequests } from '#command-api/purchase/pending-requests.ts';
import { Hints } from '#command-api/purchase/purchase.ts';
import { createPurchases, type Purchases } from '#command-api/purchase/purchases.ts';
import { allEvents, WORKING_TYPES, type WorkingEvent } from '#domain/all-events.ts';
import { booking } from '#domain/booking/booking.ts';
import { checkout, checkoutId } from '#domain/checkout/checkout.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { HOLD_FOR, HOLD_GRACE } from '#domain/kernel/policy.ts';
import type { HoldLimits } from '#domain/processes/opening.ts';
import type { PromotionTerms } from '#domain/promotion/events.ts';
import { promoCode } from '#domain/promotion/promo-code.ts';
import { promotion } from '#domain/promotion/promotion.ts';
import { refund } from '#domain/refund/refund.ts';
import { createCodec } from '#infra/event-log/codec.ts';
import { START } from '#infra/event-log/event-log.ts';
import type { Actor } from '#infra/event-log/recorded.ts';
import type { Sessions } from '#infra/http/sessions.ts';
import type { Ids } from '#infra/ids/ids.ts';
import { newReference } from '#infra/ids/ids.ts';
import type { Mail } from '#infra/mail/mailer.ts';
import type { Database } from '#infra/postgres/database.ts';
import { putOnSale } from '#tests/kit/listing-on-sale.ts';
import { type Fuse, gatewayWithFuse, logWithFuse } from './fuse.ts';
import { type MemoryGateway, memoryGateway } from './memory-gateway.ts';
import { createMemoryKeyStore } from './memory-keys.ts';
import { MemoryEventLog } from './memory-log.ts';

/** A process: everything it keeps in memory dies with it. */
export interface Process {
  readonly handler: CommandHandler;
  /** The same for all processes, as the database's are. */
  readonly ids: Ids;
  readonly purchases: Purchases;
  /** Its command handler, for what somebody does next. Default: for Ann, a buyer. */
  acting(actor?: Actor): ActingHandler;
}

export const LISTING = 7;
export const CAPACITY = 10;
export const PRICE = 2_500;
export const CODE = 'TENOFF';
export const PROMOTION = 3;
const HOUR = 3_600_000;

/** What a buyer wants, and whether they pay. `amount` in pence. */
export interface Purchase {
  readonly quantity?: number;
  readonly code?: string | null;
  readonly pays?: boolean;
  readonly amount?: number;
}

export class World {
  readonly log: MemoryEventLog;
  readonly gateway: MemoryGateway;
  readonly mails = new Map<string, Mail>();
  readonly jobs = new Map<string, Job>();
  /** What the jobs logged as an error, a line each. */
  readonly errors: string[] = [];
  /** The purchases of all processes hear of a key's destruction. */
  readonly keys = createMemoryKeyStore();
  readonly codec = createCodec(this.keys, allEvents);
  /** What an account may hold without buying; without limits at first. */
  holdLimits: HoldLimits | undefined = undefined;
  #now = Date.parse('2026-03-01T12:00:00Z');
  #position = START;
  #bookings = 100;
  #places = 0;

  constructor() {
    this.log = new MemoryEventLog({ now: () => this.clock() });
    this.gateway = memoryGateway({ clock: this.clock, log: this.log.id });
  }

  readonly clock = (): Date => new Date(this.#now);

  pass(milliseconds: number): void {
    this.#now += milliseconds;
  }

  readonly #ids: Ids = {
    next: async () => ++this.#bookings,
    uuid: () => randomUUID(),
    reference: newReference,
  };

  /** Starts a process. With a fuse it dies at some step. */
  process(fuse?: Fuse): Process {
    const log = fuse ? logWithFuse(this.log, fuse) : this.log;
    const gateway = fuse ? gatewayWithFuse(this.gateway, fuse) : this.gateway;
    const { clock } = this;
    const handler = createCommandHandler({ log, codec: this.codec, clock, patience: 60_000 });
    const pendingRequests: PendingRequests = {
      keep: async (request) => {
        const isNew = !this.jobs.has(request.id);
        this.#add([request]);
        return isNew;
      },
      fulfilled: async (id) => void this.jobs.delete(id),
      again: async (ids) => this.#lookAgain(ids),
    };
    const { keys, holdLimits } = this;
    // Nothing here asks the database: the index of an account's bookings has a spec on PostgreSQL.
    const database = {} as Database;
    const purchases = createPurchases({
      handler,
      clock,
      log,
      keys,
      database,
      gateway,
      pendingRequests,
      holdLimits,
    });
    const acting = (actor: Actor = { kind: 'user', id: 'ann', role: 'user' }) =>
      handler.as({ ...systemContext(clock), actor });
    return { handler, ids: this.#ids, purchases, acting };
  }

  /** A listing on sale in a month, and a code that takes ten per cent off, once, unless `offer` says otherwise. */
  async open(capacity = CAPACITY, offer: Partial<PromotionTerms> = {}): Promise<void> {
    const acting = this.process().acting({ kind: 'system', id: 'demo' });
    const at = this.clock().toISOString();
    const start = { date: '2026-04-01', time: '19:30', zone: 'Europe/London' };
    await putOnSale({ listingId: LISTING, price: PRICE, capacity, start }, acting);
    const terms = {
      name: 'Ten off',
      description: '',
      discountType: 'percentage',
      discountValue: 10,
      usageLimit: 1,
      validFrom: at,
      validUntil: new Date(this.#now + 1000 * HOUR).toISOString(),
      isActive: true,
      ...offer,
    } as const;
    await acting.do(promoCode, CODE, { type: 'TakeCode', promotionId: PROMOTION });
    const made = { type: 'CreatePromotion', promotionId: PROMOTION, code: CODE, terms } as const;
    await acting.do(promotion, PROMOTION, made);
  }

  /** Reads what is new in the log and makes the jobs and mails that follow. */
  async react(): Promise<void> {
    for await (const batch of this.log.readAll(this.#position, { filter: { types: WORKING_TYPES } })) {
      const work = workOf(await this.codec.decode<WorkingEvent>(batch.events));
      for (const [id, job] of this.jobs) {
        if (job.kind === 'attempt' && work.settled.has(job.subject)) this.jobs.delete(id);
      }
      this.#add(work.jobs);
      this.#lookAgain([...work.decided]);
      for (const mail of work.mails) this.mails.set(mail.key, mail);
      this.#position = batch.position;
    }
  }

  #add(jobs: readonly NewJob[]): void {
    for (const job of jobs) if (!this.jobs.has(job.id)) this.jobs.set(job.id, { ...job, tries: 0 });
  }

  #lookAgain(ids: readonly string[]): void {
    for (const id of ids) {
      const job = this.jobs.get(id);
      if (job) this.jobs.set(id, { ...job, dueAt: this.clock() });
    }
  }

  /** How many jobs are left to do. Reminders wait for their day. */
  get left(): number {
    return [...this.jobs.values()].filter(({ kind }) => kind !== 'reminder').length;
  }

  /** What a process does with each kind of job. `holdFor` is for how long it is said to hold tickets. */
  handlers({ purchases }: Process, holdFor?: number): Handlers {
    const outbox = {
      enqueue: async (mails: Mail | readonly Mail[]) => {
        for (const mail of [mails].flat()) if (!this.mails.has(mail.key)) this.mails.set(mail.key, mail);
      },
    };
    // The database is for the worker's own table, and nobody is signed in here.
    const database = {} as Database;
    const sessions = {} as Sessions;
    const { clock, log, codec } = this;
    const logger = pino({ level: 'error' }, { write: (line: string) => void this.errors.push(line) });
    return createHandlers({ clock, log, codec, database, sessions, outbox, logger, purchases, holdFor });
  }

  /** Runs jobs, moving the clock to the next that is due, until none is left or the clock would pass `until`. */
  async work(process: Process, until = this.#now + 200 * HOUR): Promise<void> {
    const handlers = this.handlers(process);
    for (let turns = 0; turns < 500; turns++) {
      await this.react();
      const next = [...this.jobs.values()].sort((a, b) => a.dueAt.getTime() - b.dueAt.getTime())[0];
      if (!next || next.dueAt.getTime() > until) return;
      this.#now = Math.max(this.#now, next.dueAt.getTime());
      const handler = handlers[next.kind] as Handler<Job['kind']>;
      const again = await handler(next, new AbortController().signal);
      if (!this.jobs.has(next.id)) continue;
      if (again) this.jobs.set(next.id, { ...next, dueAt: again });
      else this.jobs.delete(next.id);
    }
    throw new Error('the jobs did not come to an end');
  }

  /** Compares provider and log, as after a restart. */
  async reconcile({ purchases, acting }: Process): Promise<void> {
    this.pass(6_000);
    const id = `reconcile-${++this.#places}`;
    const { failures } = await createReconciler({ ...purchases, hints: new Hints(this.clock) }).run(
      new Date(0),
      acting({ kind: 'system', id }),
      new AbortController().signal,
      async () => undefined,
    );
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join('; '));
  }

  /** What a buyer's page does: holds, pays, books. Resolves to how it ended for them. */
  async buy(
    process: Process,
    buyer = 'ann',
    { quantity = 2, code = null, pays = true, amount = quantity * PRICE }: Purchase = {},
  ): Promise<'booked' | 'held' | { readonly failed: unknown }> {
    try {
      const { purchases, acting } = process;
      const ids = await allocateAttempt(process.ids);
      const wanted = { listingId: LISTING, quantity, promoCode: code, amount };
      const own = acting({ kind: 'user', id: buyer, role: 'user' });
      const opened = await openCheckout(purchases, buyer, wanted, ids, own);
      if (!pays) return 'held';
      const { intent } = opened.attempt;
      if (intent) this.gateway.pay(intent.intentId);
    } catch (failed) {
      return { failed };
    }
    return this.book(process, buyer, { quantity, amount });
  }

  /**
   * Ann pays, but the provider is so slow to say so that her tickets are let go meanwhile. Resolves to her intent, which is late money
   * once it is set to succeeded.
   */
  async dawdle(process: Process): Promise<string> {
    await this.buy(process, 'ann', { pays: false });
    const [intent] = this.gateway.intents.values();
    if (!intent) throw new Error('no intent was made');
    this.gateway.setIntent(intent.id, 'processing');
    await this.work(process, this.#now + HOLD_FOR + HOLD_GRACE + 60_000);
    return intent.id;
  }

  /** Asks for the booking alone, whatever has become of the checkout. */
  async book(
    { purchases, acting }: Process,
    buyer: string,
    { quantity = 2, amount = quantity * PRICE }: Pick<Purchase, 'quantity' | 'amount'>,
  ): Promise<'booked' | { readonly failed: unknown }> {
    try {
      const own = acting({ kind: 'user', id: buyer, role: 'user' });
      await bookCheckout(purchases, buyer, { listingId: LISTING, quantity, totalAmount: amount }, own);
      return 'booked';
    } catch (failed) {
      return { failed };
    }
  }

  /** The state of everything that a purchase touches, read by a fresh process. */
  async truth() {
    const { handler } = this.process();
    const { state: tickets } = await handler.state(inventory, LISTING);
    const { state: offer } = await handler.state(promotion, PROMOTION);
    const bookings = [];
    for (let id = 101; id <= this.#bookings; id++) {
      const { state: booked } = await handler.state(booking, id);
      const { state: money } = await handler.state(refund, id);
      if (!booked.facts) continue;
      const { userId, attempt } = booked.facts;
      const { state: own } = await handler.state(checkout, checkoutId(userId, LISTING));
      bookings.push({ booked, money, late: own.attempts.get(attempt)?.payment?.late === true });
    }
    const intents = [...this.gateway.intents.values()];
    const refunded = new Map<string, number>();
    for (const { intentId, status, amount } of this.gateway.refunds.values()) {
      if (status === 'succeeded' && intentId) refunded.set(intentId, (refunded.get(intentId) ?? 0) + amount);
    }
    return { tickets, offer, bookings, intents, refunded };
  }

  async types(): Promise<string[]> {
    const types: string[] = [];
    for await (const { events } of this.log.readAll(START)) types.push(...events.map(({ type }) => type));
    return types;
  }
}

/** A world that is open: `World.open` says how. */
export const openWorld = async (...how: Parameters<World['open']>): Promise<World> => {
  const world = new World();
  await world.open(...how);
  return world;
};
