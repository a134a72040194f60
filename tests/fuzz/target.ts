/** The product with a little in it: a listing on sale, people with sessions and bookings, keys of the sandbox. */
import { randomUUID } from 'node:crypto';
import { addCategory } from '#command-api/catalogue/categories.ts';
import { addListing } from '#command-api/catalogue/listings.ts';
import { addCity, addVenue } from '#command-api/catalogue/places.ts';
import { changeSetting } from '#command-api/catalogue/settings.ts';
import { systemContext } from '#command-api/commands/command-handler.ts';
import { type CommandDeps, createCommandDeps } from '#command-api/deps/deps.ts';
import type { Role } from '#domain/account/events.ts';
import { category } from '#domain/content/category.ts';
import { toDecimal } from '#domain/kernel/money.ts';
import { promoCode } from '#domain/promotion/promo-code.ts';
import { promotion } from '#domain/promotion/promotion.ts';
import { readConfig } from '#infra/config/config.ts';
import { layFoundation } from '#infra/foundation/foundation.ts';
import { mintCsrf } from '#infra/http/csrf.ts';
import type { Logger } from '#infra/lib/logger.ts';
import { sandboxAccount } from '#infra/payments/sandbox/account.ts';
import { type Everything, startEverything } from '#infra/start/everything.ts';
import { paymentForm, paymentPath } from '#tests/kit/card.ts';
import { call, type Reply, signedIn } from '#tests/kit/http.ts';
import { type Person, PRICE, person, prepareSale } from '#tests/kit/prepared-sale.ts';
import { silentLogger } from '#tests/kit/silent-logger.ts';
import type { Who } from './draft.ts';
import type { Stock } from './valid.ts';

export type Target = Awaited<ReturnType<typeof startTarget>>;

const field = (reply: Reply, name: string): string => {
  const { body } = reply;
  const found = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  return String(found.find(([key]) => key === name)?.[1] ?? '');
};

/** Buys a ticket as the client does. Returns the booking's id; throws with the answer that was no success. */
export const buy = async (
  { origin, sandbox }: Pick<Target, 'origin' | 'sandbox'>,
  { token }: Person,
  listingId: number,
): Promise<{ bookingId: number; intentId: string; clientSecret: string }> => {
  const headers = { 'content-type': 'application/json', ...signedIn(token) };
  const post = async (path: string, body: object): Promise<Reply> => {
    const reply = await call('POST', `${origin}${path}`, headers, JSON.stringify(body));
    if (reply.status < 300) return reply;
    throw new Error(`${path} answered ${reply.status} ${JSON.stringify(reply.body)}`);
  };
  const wanted = { eventId: listingId, quantity: 1 };
  const intent = await post('/api/create-payment-intent', { ...wanted, amount: toDecimal(PRICE) });
  const [intentId, clientSecret] = [field(intent, 'paymentIntentId'), field(intent, 'clientSecret')];
  const paid = await call(
    'POST',
    origin + paymentPath({ paymentIntentId: intentId }),
    { 'content-type': 'application/x-www-form-urlencoded' },
    paymentForm(sandbox.publishableKey, { clientSecret }).toString(),
  );
  if (paid.status !== 200) throw new Error(`paying answered ${paid.status} ${JSON.stringify(paid.body)}`);
  const booking = await post('/api/bookings', { ...wanted, totalAmount: toDecimal(PRICE) });
  return { bookingId: Number(field(booking, 'id')), intentId, clientSecret };
};

/** Another listing at the same price, in a place and a category of its own, with the shop open: what is bought once the first is deleted. */
export const freshListing = async ({ deps }: Pick<Target, 'deps'>) => {
  const acting = deps.handler.as(systemContext(deps.clock));
  const listingId = await deps.ids.next('listing');
  for (const key of ['booking_enabled', 'newsletter_enabled'])
    await changeSetting({ key, value: 'true', description: '', category: 'general' }, acting);
  const place = { name: 'Morning', state: 'England', country: 'United Kingdom' };
  // Far from the ids that the fuzz has seen made.
  const own = 1_000_000 + listingId;
  const cityId = await addCity(deps, place, acting, own);
  const hall = { name: 'The Other Hall', address: '2 High Street', cityId, capacity: 10_000 };
  const venueId = await addVenue(deps, hall, acting, own);
  const kind = { name: `After ${listingId}`, emoji: '🌅', description: '' };
  const { slug } = await addCategory(deps, kind, acting, own);
  const details = {
    ...{ title: 'The Morning After', description: '<p>Quiet again.</p>', category: slug, cityId, venueId },
    ...{ location: '2 High Street, Morning', price: PRICE, capacity: 10 },
    ...{ featured: false, imageUrl: null, tags: [], time: '20:00' },
    date: new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10),
  };
  await addListing(listingId, details, acting);
  return { listingId, cityId, venueId, category: slug };
};

const seedWords = async ({ handler, clock }: CommandDeps): Promise<void> => {
  const acting = handler.as(systemContext(clock));
  for (const [index, slug] of ['concerts', 'culture', 'dining'].entries()) {
    const words = { slug, name: slug, emoji: '🎷', description: '' };
    const command = { type: 'AddCategory', categoryId: index + 1, ...words } as const;
    await acting.do(category, slug, command);
  }
  const code = 'ENCORE10';
  await acting.do(promoCode, code, { type: 'TakeCode', promotionId: 1 });
  const terms = {
    ...{ name: 'Again', description: '', isActive: true, usageLimit: null, discountValue: 10 },
    ...{ validFrom: '2020-01-01T00:00:00.000Z', validUntil: '2090-01-01T00:00:00.000Z' },
    discountType: 'percentage',
  } as const;
  const made = { type: 'CreatePromotion', promotionId: 1, code, terms } as const;
  await acting.do(promotion, 1, made);
};

const ROLES: Readonly<Record<Exclude<Who, 'visitor'>, Role>> = {
  ...{ customer: 'user', staff: 'staff', auditor: 'auditor', admin: 'admin', superuser: 'superuser' },
};
const CUSTOMERS = 2;
const SUPERUSERS = 2;

export interface TargetOptions {
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** Hears what the product logs. */
  readonly logger: Logger;
}

/** Starts the product on an empty database and seeds it. */
export const startTarget = async ({ databaseUrl, dataDir, logger }: TargetOptions) => {
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, BASE_URL: 'http://localhost:3000' };
  const config = readConfig({ ...env, HOST: '127.0.0.1', PORT: '0', DEMO: 'off', RATE_LIMITS: 'off' });
  const quiet = { logger: silentLogger(), connections: 6 };
  const foundation = await layFoundation({ name: 'harness', config, databaseUrl, ...quiet });
  const sale = await prepareSale(foundation, { capacity: 5_000, buyers: CUSTOMERS });
  const everything: Everything = await startEverything({ config, databaseUrl, logger });
  // Only now: what this command handler remembers begins after the sale was prepared by another.
  const deps = createCommandDeps(foundation);
  await seedWords(deps);
  const { origin } = everything;
  const sandbox = await sandboxAccount(foundation.database.pool);
  let { listingId } = sale;
  const stock = new Map<string, (string | number)[]>();
  const people = new Map<Who, Person[]>([['customer', [...sale.buyers]]]);
  for (const who of ['staff', 'auditor', 'admin'] as const)
    people.set(who, [await person(deps, ROLES[who], who)]);
  people.set('superuser', []);
  for (let nth = 0; nth < SUPERUSERS; nth++)
    people.get('superuser')?.push(await person(deps, 'superuser', `superuser${nth}`));

  /** The bookings of each customer, the last ones. */
  const own = new Map<string, number[]>();
  const remember = (name: string, value: string | number): void => {
    const known = stock.get(name) ?? [];
    stock.set(name, [...known.filter((one) => one !== value), value].slice(-30));
  };
  const buyOne = async (who: Person): Promise<void> => {
    const { bookingId, intentId, clientSecret } = await buy({ origin, sandbox }, who, listingId);
    for (const name of ['bookings.id', 'tickets.id', 'refunds.id', 'bookingId']) remember(name, bookingId);
    own.set(who.id, [...(own.get(who.id) ?? []), bookingId].slice(-4));
    for (const name of ['payment_intents.id', 'payment_intent', 'starting_after']) remember(name, intentId);
    remember('client_secret', clientSecret);
    const { signer } = foundation;
    const expiresAt = Math.floor(Date.now() / 1_000) + 30 * 86_400;
    const code = signer.sign({ bookingId, page: 1, listingId, quantity: 1, epoch: 0, expiresAt });
    for (const name of ['token', 'encryptedData']) remember(name, code);
  };
  for (const name of ['events.id', 'eventId', 'listingId']) remember(name, listingId);
  for (const name of ['code', 'promoCode']) remember(name, 'ENCORE10');
  remember('key', sandbox.publishableKey);
  remember('name', 'x.webp');
  for (const customer of sale.buyers)
    for (let nth = 0; nth < 4; nth++) {
      await buyOne(customer);
      remember('users.id', customer.id);
    }

  return {
    origin,
    foundation,
    deps,
    sandbox,
    /** What a field may hold, by its name. */
    stock,
    /** Whoever is asked for, with a session that lives; `nth` picks one of several. */
    personOf(who: Exclude<Who, 'visitor'>, nth: number): Person {
      const some = people.get(who) ?? [];
      const found = some[nth % some.length];
      if (!found) throw new Error(`nobody is ${who}`);
      return found;
    },
    /** `stock` as somebody would fill it in: of bookings their own, as a rule. */
    stockOf(someone: Person | undefined): Stock {
      const theirs = own.get(someone?.id ?? '');
      if (!theirs) return stock;
      return new Map([
        ...stock,
        ...['bookings.id', 'tickets.id', 'bookingId'].map((name) => [name, theirs] as const),
      ]);
    },
    /** Puts another event on sale, and customers buy some more. */
    async restock(): Promise<void> {
      // The shop may be closed by now, and the listing gone, with its place and its category.
      const { listingId: fresh, ...place } = await freshListing({ deps });
      listingId = fresh;
      for (const name of ['events.id', 'eventId', 'listingId']) remember(name, fresh);
      for (const [name, value] of Object.entries(place)) stock.set(name, [value]);
      for (const customer of people.get('customer') ?? []) await buyOne(customer).catch(() => undefined);
    },
    /** Looks whether a session still is what it was, and brings somebody new if not. */
    async renew(who: Exclude<Who, 'visitor'>, old: Person): Promise<void> {
      const found = await foundation.sessions.find(old.token);
      if (found?.principal.role === ROLES[who] && found.principal.accountId === old.id) return;
      const some = people.get(who) ?? [];
      const at = some.indexOf(old);
      if (at < 0) return;
      const fresh = await person(deps, ROLES[who], `${who}-${randomUUID().slice(0, 8)}`);
      some[at] = fresh;
      remember('users.id', fresh.id);
      // The shop may be closed or the listing gone by now: then they come without a booking.
      if (who === 'customer') await buyOne(fresh).catch(() => undefined);
    },
    async stop(): Promise<void> {
      await everything.stop();
      await deps.handler.drain();
      await foundation.close();
    },
  };
};

/** The token that a change of somebody's carries. */
export const csrfOf = (token: string | null): string => mintCsrf(token);
