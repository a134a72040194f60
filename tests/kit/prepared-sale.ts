/** What a round begins with: a listing on sale, buyers with accounts and sessions, staff at the door. */
import { randomUUID } from 'node:crypto';
import { systemContext } from '#command-api/commands/command-handler.ts';
import { type CommandDeps, createCommandDeps } from '#command-api/deps/deps.ts';
import { account } from '#domain/account/account.ts';
import type { Role } from '#domain/account/events.ts';
import { city } from '#domain/place/city.ts';
import { venue } from '#domain/place/venue.ts';
import type { Foundation } from '#infra/foundation/foundation.ts';
import { systemClock } from '#infra/lib/clock.ts';
import { putOnSale } from '#tests/kit/listing-on-sale.ts';

/** Of a ticket, in pence. */
export const PRICE = 2_850;

export interface Person {
  readonly id: string;
  /** Of their session. */
  readonly token: string;
}

export interface Sale {
  readonly listingId: number;
  readonly capacity: number;
  readonly buyers: readonly Person[];
  readonly staff: Person;
}

const DAY = 86_400_000;
/** Beyond what one person has open at the ids' first blocks. */
const LISTING = 901;
/** The command handler's queue is bounded. */
const ARRIVE_TOGETHER = 2_000;

/** A new account through its own decider, and a session as sign-in makes it; no password, so nothing is hashed. */
export const person = async (
  { handler, sessions }: Pick<CommandDeps, 'handler' | 'sessions'>,
  role: Role,
  name: string,
): Promise<Person> => {
  const id = randomUUID();
  const email = `${name}-${id.slice(0, 8)}@reprise.test`;
  const who = { accountId: id, email, firstName: name, lastName: 'Łódź', profileImageUrl: null } as const;
  const how = { via: 'password', role, verified: true } as const;
  await handler.as(systemContext(systemClock, 'chaos')).do(account, id, { type: 'Register', ...who, ...how });
  const { token } = await sessions.open({ accountId: id, role, emailVerified: true, profileComplete: true });
  return { id, token };
};

/** Puts a listing on sale and lets people sign in, through the product's own commands. */
export const prepareSale = async (
  foundation: Foundation,
  wanted: { readonly capacity: number; readonly buyers: number },
): Promise<Sale> => {
  const deps = createCommandDeps(foundation);
  const { handler } = deps;
  const acting = handler.as(systemContext(systemClock, 'chaos'));
  const place = { name: 'London', state: 'England', country: 'United Kingdom', zone: 'Europe/London' };
  await acting.do(city, 1, { type: 'AddCity', cityId: 1, ...place });
  const hall = { name: 'The Hall', address: '1 High Street', cityId: 1, capacity: 10_000 };
  await acting.do(venue, 1, { type: 'AddVenue', venueId: 1, ...hall });
  const date = new Date(Date.now() + 30 * DAY).toISOString().slice(0, 10);
  const start = { date, time: '20:00', zone: 'Europe/London' };
  const { capacity } = wanted;
  await putOnSale({ listingId: LISTING, price: PRICE, capacity, start }, acting);
  const buyers: Person[] = [];
  while (buyers.length < wanted.buyers) {
    const some = Math.min(ARRIVE_TOGETHER, wanted.buyers - buyers.length);
    const from = buyers.length;
    const arriving = Array.from({ length: some }, (_, index) => person(deps, 'user', `buyer${from + index}`));
    buyers.push(...(await Promise.all(arriving)));
  }
  const staff = await person(deps, 'staff', 'door');
  await handler.drain();
  return { listingId: LISTING, capacity: wanted.capacity, buyers, staff };
};
