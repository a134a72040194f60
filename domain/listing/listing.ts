import { type Aggregate, badInput, type Decision, type Rejection, reject } from '#domain/kernel/decider.ts';
import { toInstant, toWallClock } from '#domain/kernel/zone.ts';
import type { ListingDetails, ListingEvent, Schedule } from './events.ts';
import { extrasOf, slipsOf, timesIn } from './extras.ts';
import { plainText } from './preview.ts';
import { evolve, initial, type ListingState, shownOf } from './state.ts';

/** The date and time at the venue. `zone` is the city's. */
export interface Start {
  readonly date: string;
  readonly time: string;
  readonly zone: string;
}

/** The commands of a listing. `at` is an ISO instant. The description must be sanitized HTML. */
export type ListingCommand =
  | {
      readonly type: 'CreateListing';
      readonly listingId: number;
      readonly details: ListingDetails;
      readonly start: Start;
      readonly featured: boolean;
      readonly at: string;
    }
  /** Holds all fields of the form. Only changed ones are recorded. */
  | {
      readonly type: 'EditListing';
      readonly details: ListingDetails;
      readonly start: Start;
      readonly at: string;
    }
  /** Its city's zone was wrong: the date and the time stay, at the moment when the right clock shows them. */
  | { readonly type: 'CorrectZone'; readonly zone: string; readonly at: string }
  | { readonly type: 'FeatureListing'; readonly featured: boolean }
  | { readonly type: 'ActivateListing' }
  | { readonly type: 'DeactivateListing' }
  /** Given after the inventory's sales were closed. */
  | { readonly type: 'ArchiveListing' };

/** What a listing says, and when it is. */
interface Timed {
  readonly details: ListingDetails;
  readonly schedule: Schedule;
}

/** The schedule for a start. A time that the change to summer time skips becomes the time that clocks show then. */
const scheduleOf = ({ date, time, zone }: Start): Schedule => {
  const startsAt = toInstant({ date, time }, zone);
  return { ...toWallClock(startsAt, zone), zone, startsAt };
};

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The start and the other times, by the clock. */
const timesOf = ({ details, schedule }: Timed) => ({ ...timesIn(details.extras), start: schedule.time });

/**
 * What the request's schema can't check: a description without text, times that can't be meant, and a start that is not in
 * the future, unless they stay.
 */
const complaint = (now: Timed, at: string, before?: Timed): Rejection | undefined => {
  const { details, schedule } = now;
  // Zero-width spaces and their like are no text.
  if (!/[^\s\p{Cf}]/u.test(plainText(details.description)))
    return badInput({ description: 'Description is required' });
  const stays = schedule.startsAt === before?.schedule.startsAt;
  if (!stays && Date.parse(schedule.startsAt) <= Date.parse(at))
    return badInput({ date: 'Event date must be in the future' });
  const times = timesOf(now);
  const slips = before && same(times, timesOf(before)) ? {} : slipsOf(times);
  return Object.keys(slips).length > 0 ? badInput(slips) : undefined;
};

/** The details in a fixed order, so that two can be compared as text. */
const ordered = (d: ListingDetails): readonly unknown[] => [
  d.title,
  d.description,
  d.category,
  d.cityId,
  d.venueId,
  d.location,
  d.price,
  d.imageUrl,
  d.tags,
  extrasOf(d.extras),
];

/** The rules of a listing. Refuses with BAD_INPUT (no description, a new start that isn't in the future, times that can't be meant), LISTING_NOT_FOUND, LISTING_ARCHIVED. */
const decide = (state: ListingState, command: ListingCommand): Decision<ListingEvent> => {
  if (command.type === 'CreateListing') {
    if (state.listingId !== null) return [];
    const { listingId, details, featured } = command;
    const schedule = scheduleOf(command.start);
    const event: ListingEvent = {
      type: 'ListingCreated',
      data: { listingId, ...details, ...schedule, featured },
    };
    return complaint({ details, schedule }, command.at) ?? [event];
  }
  const { listingId, details, schedule } = state;
  if (listingId === null || !details || !schedule) return reject('LISTING_NOT_FOUND');
  if (command.type === 'ArchiveListing') {
    return state.archived ? [] : [{ type: 'ListingArchived', data: { listingId } }];
  }
  if (state.archived) return reject('LISTING_ARCHIVED');
  switch (command.type) {
    case 'CorrectZone': {
      const { date, time } = schedule;
      const next = scheduleOf({ date, time, zone: command.zone });
      const begun = [schedule, next].every(({ startsAt }) => Date.parse(startsAt) <= Date.parse(command.at));
      if (schedule.zone === command.zone || begun) return [];
      return [{ type: 'ListingRescheduled', data: { listingId, from: schedule, ...next } }];
    }
    case 'EditListing': {
      const { date, time } = command.start;
      const stays =
        command.details.cityId === details.cityId && date === schedule.date && time === schedule.time;
      const next = stays ? schedule : scheduleOf(command.start);
      const refused = complaint({ details: command.details, schedule: next }, command.at, {
        details,
        schedule,
      });
      if (refused) return refused;
      const events: ListingEvent[] = [];
      if (!same(ordered(details), ordered(command.details))) {
        const left = command.details.venueId === details.venueId ? {} : { fromVenueId: details.venueId };
        events.push({ type: 'ListingEdited', data: { listingId, ...left, ...command.details } });
      }
      if (next.startsAt !== schedule.startsAt || next.zone !== schedule.zone) {
        events.push({ type: 'ListingRescheduled', data: { listingId, from: schedule, ...next } });
      }
      return events;
    }
    case 'FeatureListing': {
      const { featured } = command;
      return featured === state.featured ? [] : [{ type: 'ListingFeatured', data: { listingId, featured } }];
    }
    case 'ActivateListing':
      return state.active ? [] : [{ type: 'ListingActivated', data: { listingId } }];
    case 'DeactivateListing':
      return state.active ? [{ type: 'ListingDeactivated', data: { listingId } }] : [];
  }
};

/** The listing aggregate. Its stream is `listing-{listingId}`. */
export const listing: Aggregate<ListingState, ListingCommand, ListingEvent> = {
  name: 'listing',
  shown: shownOf,
  initial,
  evolve,
  decide,
};
