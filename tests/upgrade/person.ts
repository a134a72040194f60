/** Somebody at a site that runs in other processes: they sign in, buy and cancel by the calls of the API. */
import { mintCsrf } from '#infra/http/csrf.ts';
import { CARDS, paymentForm, paymentPath } from '#tests/kit/card.ts';

/** The password of all accounts in the fixture. */
export const PASSWORD = 'Encore-2026!';

export const addressOf = (name: string): string => `${name}@people.example`;

/** An event on sale. The price is in pence. */
export interface OnSale {
  readonly id: number;
  readonly price: number;
}

interface Order {
  readonly quantity?: number;
  readonly card?: string;
  /** The code of a promotion that takes 10% off. */
  readonly promoCode?: string;
  /** How far they go. Default: until they have the booking. */
  readonly until?: 'held' | 'paid' | 'booked';
}

// biome-ignore lint/suspicious/noExplicitAny: the specification says what each call answers
type Answer = any;

const pounds = (pence: number): string => (pence / 100).toFixed(2);

/** @throws Error unless it is a good answer */
const read = async (reply: Response): Promise<Answer> => {
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${reply.url} answered ${reply.status} ${text}`);
  return reply.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text;
};

/** The public key of the payment sandbox. */
export const publishableKeyAt = async (origin: string): Promise<string> =>
  (await read(await fetch(`${origin}/api/stripe-config`))).publishableKey;

export class Person {
  readonly #session: string | null;

  /** @param session the token of their session; null for a visitor */
  constructor(session: string | null = null) {
    this.#session = session;
  }

  static async signIn(origin: string, name: string): Promise<Person> {
    const credentials = { email: addressOf(name), password: PASSWORD };
    const reply = await new Person().send('POST', `${origin}/api/auth/login`, credentials);
    await read(reply);
    const [, session] = /reprise-session=([^;]+)/.exec(reply.headers.getSetCookie().join('\n')) ?? [];
    if (!session) throw new Error(`${name} has no session`);
    return new Person(session);
  }

  send(method: string, url: string, body?: object): Promise<Response> {
    const csrf = mintCsrf(this.#session);
    const isForm = body instanceof FormData;
    return fetch(url, {
      method,
      headers: {
        cookie: `X-CSRF-Token=${csrf}${this.#session ? `; reprise-session=${this.#session}` : ''}`,
        'x-csrf-token': csrf,
        ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    });
  }

  /** @throws Error unless it is answered well */
  async call(method: string, url: string, body?: object): Promise<Answer> {
    return read(await this.send(method, url, body));
  }

  /** Buys tickets, as the client does. Resolves to the booking's id, or to 0 if they don't go so far. */
  async buy(
    origin: string,
    publishableKey: string,
    { id, price }: OnSale,
    { quantity = 1, card = CARDS.pays, promoCode, until = 'booked' }: Order = {},
  ): Promise<number> {
    const whole = price * quantity;
    const total = pounds(promoCode ? (whole * 9) / 10 : whole);
    const order = { eventId: id, quantity, ...(promoCode ? { promoCode } : {}) };
    const asked = { ...order, amount: total };
    const intent = await this.call('POST', `${origin}/api/create-payment-intent`, asked);
    if (until === 'held') return 0;
    const form = paymentForm(publishableKey, intent, card);
    await read(await fetch(origin + paymentPath(intent), { method: 'POST', body: form }));
    if (until === 'paid') return 0;
    return (await this.call('POST', `${origin}/api/bookings`, { ...order, totalAmount: total })).id;
  }

  async cancel(origin: string, bookingId: number): Promise<void> {
    const reason = 'We can not come after all.';
    await this.call('POST', `${origin}/api/bookings/cancel`, { bookingId, reason });
  }
}
