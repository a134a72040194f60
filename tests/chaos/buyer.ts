/** One person who wants tickets, tries again, and is not always reasonable. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { toDecimal } from '#domain/kernel/money.ts';
import { CARDS, paymentForm, paymentPath } from '#tests/kit/card.ts';
import type { Chance } from '#tests/kit/chance.ts';
import { Broken, call, type Reply, signedIn } from '#tests/kit/http.ts';
import { type Person, PRICE } from '#tests/kit/prepared-sale.ts';

/** What a 2xx said: it must be in the log for ever. */
export interface Acknowledged {
  readonly what: 'intent' | 'booking';
  readonly userId: string;
  readonly position: string;
  readonly intentId: string | null;
  readonly bookingId: number | null;
}

export interface BuyerDeps {
  /** Where commands go; any of them will do. */
  readonly commands: readonly string[];
  readonly queries: string;
  readonly listingId: number;
  readonly publishableKey: string;
  readonly chance: Chance;
  /** How long somebody waits at least after "sold out", in milliseconds. */
  readonly patience: number;
  /** Within how many milliseconds everybody has come. */
  readonly arriveWithin: number;
  /** Aborts when there is nothing left to try for. */
  readonly over: AbortSignal;
  acknowledged(what: Acknowledged): void;
  odd(what: string): void;
  counted(status: number | 'broken'): void;
}

const textOf = (reply: Reply, name: string): string => {
  const { body } = reply;
  if (typeof body !== 'object' || body === null || !(name in body)) return '';
  return String((body as Record<string, unknown>)[name] ?? '');
};
const positionOf = (reply: Reply): string => String(reply.headers['x-log-position'] ?? '');
/** A dependency is down, or the server is: it passes. */
const passes = ({ status }: Reply): boolean => status === 503;

/** Nobody dawdles for longer than this, in milliseconds. */
const LONGEST_DAWDLING = 20_000;
/** When somebody without an answer asks again, in milliseconds: 2,000 of them must leave a restart some air. */
const AGAIN = [400, 2_500] as const;
/** A person gives up after so long, in milliseconds, as the sale does: on a crowded machine a start takes as long as a person is patient. */
const PATIENCE = 1_200_000;

export class Buyer {
  readonly #who: Person;
  readonly #deps: BuyerDeps;
  #until = 0;
  #quantity: number;

  constructor(who: Person, deps: BuyerDeps) {
    this.#who = who;
    this.#deps = deps;
    this.#quantity = deps.chance.pick([1, 1, 1, 2, 2, 3]);
  }

  /** Tries until there are tickets, or none left for anybody. */
  async run(): Promise<void> {
    const { chance, over, arriveWithin } = this.#deps;
    await this.#wait(chance.between(0, arriveWithin));
    this.#until = Date.now() + PATIENCE;
    while (!over.aborted && Date.now() < this.#until) if (await this.#try()) return;
  }

  async #try(): Promise<boolean> {
    const { chance, over, odd } = this.#deps;
    const amount = toDecimal(PRICE * this.#quantity);
    const wanted = { eventId: this.#deps.listingId, quantity: this.#quantity };
    const asked = { ...wanted, amount };
    const intent = await this.#insist('/api/create-payment-intent', asked, () => over.aborted);
    if (!intent) return true;
    if (intent.status !== 200) return this.#refused(intent);
    const intentId = textOf(intent, 'paymentIntentId');
    this.#acknowledge('intent', intent, { intentId });
    const mood = chance.roll();
    if (mood < 0.1) return true;
    const left = Date.parse(textOf(intent, 'heldUntil')) - Date.now();
    // Some pay at the last moment, or just after it.
    if (mood < 0.15 && left < LONGEST_DAWDLING) await pause(Math.max(0, left + chance.between(-300, 300)));
    else await pause(chance.between(0, 1_500));
    if (chance.roll() < 0.08) await this.#confirm(intent, CARDS.declined);
    const paid = await this.#confirm(intent, CARDS.pays);
    if (paid === 'not') return false;
    // Closes the page: the webhook or the reconciler has to do the rest.
    if (mood > 0.92) return true;
    const order = { ...wanted, totalAmount: amount };
    const booked = await this.#insist('/api/bookings', order, () => Date.now() > this.#until);
    if (!booked) return true;
    if (booked.status === 201 || booked.status === 200) {
      const bookingId = Number(textOf(booked, 'id'));
      this.#acknowledge('booking', booked, { bookingId });
      if (chance.roll() < 0.3) await this.#lookAt(bookingId, positionOf(booked));
      return true;
    }
    // Paid, but too late: the money goes back.
    if (textOf(booked, 'refunded') === 'true') return false;
    if (paid === 'paid')
      odd(`paid, and then ${booked.status} ${textOf(booked, 'code')} ${textOf(booked, 'message')}`);
    return false;
  }

  async #wait(milliseconds: number): Promise<void> {
    const { over } = this.#deps;
    await pause(milliseconds, undefined, { signal: over }).catch(() => undefined /* it is over */);
  }

  async #refused(reply: Reply): Promise<boolean> {
    const { chance, odd } = this.#deps;
    const code = textOf(reply, 'code');
    switch (code) {
      case 'SOLD_OUT':
        // Holds run out: what others don't pay for comes back.
        this.#quantity = Math.max(1, Math.min(this.#quantity, Number(textOf(reply, 'available')) || 1));
        await this.#wait(chance.between(1, 4) * this.#deps.patience);
        return false;
      case 'CHECKOUT_OPEN':
      case 'CHECKOUT_EXPIRED':
        await pause(chance.between(200, 800));
        return false;
      case 'ALREADY_PAID':
        return true;
      default:
        odd(`intent: ${reply.status} ${code} ${textOf(reply, 'message')}`);
        await pause(500);
        return false;
    }
  }

  /** Pays at the provider, as the browser does. `perhaps`: it may have been paid, and cancelled before. */
  async #confirm(intent: Reply, card: string): Promise<'paid' | 'not'> {
    const { commands, publishableKey, chance, counted } = this.#deps;
    const payable = {
      paymentIntentId: textOf(intent, 'paymentIntentId'),
      clientSecret: textOf(intent, 'clientSecret'),
    };
    const path = paymentPath(payable);
    const form = paymentForm(publishableKey, payable, card).toString();
    while (Date.now() < this.#until) {
      try {
        const headers = { 'content-type': 'application/x-www-form-urlencoded' };
        const reply = await call('POST', chance.pick(commands) + path, headers, form);
        counted(reply.status);
        if (reply.status === 200) return 'paid';
        if (reply.status < 500) {
          // It was paid by a call whose answer was lost.
          return textOf(reply, 'error') !== '' && JSON.stringify(reply.body).includes('status is succeeded')
            ? 'paid'
            : 'not';
        }
      } catch (error) {
        if (!(error instanceof Broken)) throw error;
        counted('broken');
      }
      await pause(chance.between(...AGAIN));
    }
    return 'not';
  }

  /** Calls until there is an answer that means something; under one idempotency key in half of the cases. */
  async #insist(path: string, body: object, enough: () => boolean): Promise<Reply | undefined> {
    const { commands, chance, counted } = this.#deps;
    const key: Record<string, string> = chance.roll() < 0.5 ? { 'idempotency-key': randomUUID() } : {};
    const headers = { 'content-type': 'application/json', ...signedIn(this.#who.token), ...key };
    const queue = path === '/api/bookings' ? 'till' : 'shop';
    while (!enough()) {
      try {
        const reply = await call('POST', chance.pick(commands) + path, headers, JSON.stringify(body), queue);
        counted(reply.status);
        if (!passes(reply)) return reply;
      } catch (error) {
        if (!(error instanceof Broken)) throw error;
        counted('broken');
      }
      await pause(chance.between(...AGAIN));
    }
    return undefined;
  }

  /** A person always sees what they just did, or is told that the page may be old. */
  async #lookAt(bookingId: number, position: string): Promise<void> {
    const { queries, counted, odd } = this.#deps;
    try {
      const headers = { ...signedIn(this.#who.token), 'x-min-position': position };
      const reply = await call('GET', `${queries}/api/bookings`, headers);
      counted(reply.status);
      if (passes(reply) || reply.headers['x-stale'] === 'true') return;
      const shown =
        Array.isArray(reply.body) && reply.body.some((one: { id?: unknown }) => one.id === bookingId);
      if (reply.status !== 200 || !shown) odd(`booking ${bookingId} is not shown: ${reply.status}`);
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      counted('broken');
    }
  }

  #acknowledge(
    what: Acknowledged['what'],
    reply: Reply,
    ids: { intentId?: string; bookingId?: number },
  ): void {
    const said = { what, userId: this.#who.id, position: positionOf(reply) };
    this.#deps.acknowledged({ ...said, intentId: null, bookingId: null, ...ids });
  }
}
