/** What is on at a site of specs, and tickets for it. */
import { addCategory } from '#command-api/catalogue/categories.ts';
import { addListing, newListingId } from '#command-api/catalogue/listings.ts';
import { addCity, addVenue } from '#command-api/catalogue/places.ts';
import { booking } from '#domain/booking/booking.ts';
import { type CreateEventRequest, createEventRequest } from '#domain/contracts/admin-events.ts';
import { type Booking, bookingCalls } from '#domain/contracts/bookings.ts';
import { paymentCalls } from '#domain/contracts/payments.ts';
import { toWallClock } from '#domain/kernel/zone.ts';
import { listing, type Start } from '#domain/listing/listing.ts';
import { ticketLinks } from '#infra/tickets/ticket-document.ts';
import type { CommandApi, Member, Site } from './site.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** The day and the time on the wall in London, so many milliseconds from now. */
export const inTime = (milliseconds: number): { readonly date: string; readonly time: string } => {
  const { date, time } = toWallClock(new Date(Date.now() + milliseconds).toISOString(), 'Europe/London');
  return { date, time };
};

export type Hall = Awaited<ReturnType<typeof openHall>>;

/** Builds the Corn Exchange in Leeds, for concerts. */
export const openHall = async ({ deps, acting }: CommandApi) => {
  const country = { state: 'England', country: 'United Kingdom' };
  const cityId = await addCity(deps, { name: 'Leeds', ...country }, acting());
  const hall = { name: 'Corn Exchange', address: 'Call Lane', cityId, capacity: 90 };
  const venueId = await addVenue(deps, hall, acting());
  await addCategory(deps, { name: 'Concerts', emoji: '🎵', description: '' }, acting());
  /** What a listing there is made of, as the admin's form sends it: a ticket is £20, and it begins in a month. */
  const form: CreateEventRequest = {
    ...{ title: 'Paper Moons', description: '<p>Shadow theatre for <b>one</b> night.</p>' },
    ...{ category: 'concerts', location: 'Call Lane, Leeds', cityId, venueId, ...inTime(30 * DAY) },
    ...{ price: 20, capacity: 50, featured: false },
  };
  return {
    form,
    /** Puts a listing on sale. Resolves to its id. */
    async listed(changes: Partial<CreateEventRequest> = {}): Promise<number> {
      const id = await newListingId(deps);
      await addListing(id, createEventRequest.parse({ ...form, ...changes }), acting());
      return id;
    },
  };
};

/** Moves a listing to a day that is long over, which no call lets anybody do. */
export const moveBack = async (
  { deps, acting }: CommandApi,
  id: number,
  to: Partial<Start> = {},
): Promise<void> => {
  const { details, schedule } = (await deps.handler.state(listing, id)).state;
  if (!details || !schedule) throw new Error(`there is no listing ${id}`);
  const start = { date: '2026-01-05', time: '19:30', zone: schedule.zone, ...to };
  const at = '2026-01-01T12:00:00.000Z';
  await acting().do(listing, id, { type: 'EditListing', details, start, at });
};

/** Buys tickets at £20, as the client does. */
export const bought = async (
  site: Site,
  { browser }: Pick<Member, 'browser'>,
  eventId: number,
  quantity = 2,
): Promise<Booking> => {
  const order = { eventId, quantity };
  const amount = (20 * quantity).toFixed(2);
  const intent = await browser.ask(paymentCalls.createIntent, { body: { ...order, amount } });
  await site.pay(intent);
  return browser.ask(bookingCalls.create, { body: { ...order, totalAmount: amount } });
};

/** The links in a booking's codes, the party's first. */
export const codesOf = async ({ deps, foundation }: Site, id: number): Promise<readonly string[]> => {
  const { state } = await deps.handler.state(booking, id);
  if (!state.facts) throw new Error(`there is no booking ${id}`);
  const { bookingId, listingId, quote } = state.facts;
  const { schedule } = (await deps.handler.state(listing, listingId)).state;
  if (!schedule) throw new Error(`there is no listing ${listingId}`);
  const { startsAt } = schedule;
  const facts = { bookingId, listingId, quantity: quote.quantity, epoch: state.epoch, startsAt };
  return ticketLinks(facts, foundation.signer, '');
};
