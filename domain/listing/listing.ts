import { type Aggregate, badInput, type Decision, type Rejection, reject } from '#domain/kernel/decider.ts';
import { toInstant, toWallClock } from '#domain/kernel/zone.ts';
import type { ListingDetails, ListingEvent, Schedule } from './events.ts';
import { extrasOf, slipsOf, timesIn } from './extras.ts';
import { plainText } from './preview.ts';
import { evolve, initial, type ListingState, shownOf } from './state.ts';

export interface Start {
  readonly date: string;
  readonly time: string;
  readonly zone: string;
}

/** `at` is an ISO instant; the description must be sanitized. */
export type ListingCommand =
  | {
      readonly type: 'CreateListing';
      readonly listingId: number;
      readonly details: ListingDetails;
      readonly start: Start;
      readonly featured: boolean;
      readonly at: string;
    }
  | {
      readonly type: 'EditListing';
      readonly details: ListingDetails;
      readonly start: Start;
      readonly at: string;
    }
  /** Date and time stay, the instant changes. */
  | { readonly type: 'CorrectZone'; readonly zone: string; readonly at: string }
  | { readonly type: 'FeatureListing'; readonly featured: boolean }
  | { readonly type: 'ActivateListing' }
  | { readonly type: 'DeactivateListing' }
  /** Given after sales have closed. */
  | { readonly type: 'ArchiveListing' };

interface Timed {
  readonly details: ListingDetails;
  readonly schedule: Schedule;
}

/** A time that the change to summer time skips moves to what clocks then show. */
const scheduleOf = ({ date, time, zone }: Start): Schedule => {
  const startsAt = toInstant({ date, time }, zone);
  return { ...toWallClock(startsAt, zone), zone, startsAt };
};

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const timesOf = ({ details, schedule }: Timed) => ({ ...timesIn(details.extras), start: schedule.time });

/** Unchanged times and an unchanged start are not checked again. */
const complaint = (now: Timed, at: string, before?: Timed): Rejection | undefined => {
  const { details, schedule } = now;
  // Zero-width characters don't count as text.
  if (!/[^\s\p{Cf}]/u.test(plainText(details.description)))
    return badInput({ description: 'Description is required' });
  const stays = schedule.startsAt === before?.schedule.startsAt;
  if (!stays && Date.parse(schedule.startsAt) <= Date.parse(at))
    return badInput({ date: 'Event date must be in the future' });
  const times = timesOf(now);
  const slips = before && same(times, timesOf(before)) ? {} : slipsOf(times);
  return Object.keys(slips).length > 0 ? badInput(slips) : undefined;
};

/** Fixed order, for comparing as text. */
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

/** Refuses with BAD_INPUT, LISTING_NOT_FOUND, LISTING_ARCHIVED. */
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

export const listing: Aggregate<ListingState, ListingCommand, ListingEvent> = {
  name: 'listing',
  shown: shownOf,
  initial,
  evolve,
  decide,
};
