import type { ErrorCode } from '#domain/kernel/errors.ts';
import { NIGHT } from '#domain/kernel/policy.ts';
import type { Shown } from '#domain/kernel/revision.ts';
import { endOfDay } from '#domain/kernel/zone.ts';
import type { ListingDetails, ListingEvent, RecordedDetails, Schedule } from './events.ts';
import { extrasOf } from './extras.ts';

export interface ListingState {
  readonly listingId: number | null;
  readonly details: ListingDetails | null;
  readonly schedule: Schedule | null;
  readonly featured: boolean;
  readonly active: boolean;
  readonly archived: boolean;
  readonly former: readonly Schedule[];
}

export const initial: ListingState = {
  listingId: null,
  details: null,
  schedule: null,
  featured: false,
  active: false,
  archived: false,
  former: [],
};

const detailsOf = (data: RecordedDetails, before: ListingDetails | null): ListingDetails => ({
  title: data.title,
  description: data.description,
  category: data.category,
  cityId: data.cityId,
  venueId: data.venueId,
  location: data.location,
  price: data.price,
  imageUrl: data.imageUrl,
  tags: data.tags,
  extras: extrasOf(data.extras, before?.extras),
});

const scheduleOf = ({ date, time, zone, startsAt }: Schedule): Schedule => ({ date, time, zone, startsAt });

export const evolve = (state: ListingState, event: ListingEvent): ListingState => {
  switch (event.type) {
    case 'ListingCreated':
      return {
        ...initial,
        listingId: event.data.listingId,
        details: detailsOf(event.data, null),
        schedule: scheduleOf(event.data),
        featured: event.data.featured,
        active: true,
      };
    case 'ListingEdited':
      return { ...state, details: detailsOf(event.data, state.details) };
    case 'ListingRescheduled':
      return {
        ...state,
        schedule: scheduleOf(event.data),
        former: [...state.former, scheduleOf(event.data.from)],
      };
    case 'ListingFeatured':
      return { ...state, featured: event.data.featured };
    case 'ListingActivated':
      return { ...state, active: true };
    case 'ListingDeactivated':
      return { ...state, active: false };
    case 'ListingArchived':
      return { ...state, archived: true, active: false };
  }
};

export const shownOf = ({
  details,
  schedule,
  featured,
  active,
}: Pick<ListingState, 'details' | 'schedule' | 'featured' | 'active'>): Shown => {
  const { extras, ...others }: Partial<ListingDetails> = details ?? {};
  return {
    ...others,
    ...extras,
    date: schedule?.date,
    time: schedule?.time,
    featured,
    isActive: active,
  };
};

type Span = Pick<Schedule, 'date' | 'zone' | 'startsAt'>;

/** ISO instant: midnight, or later if `NIGHT` has not passed since the start. */
export const dayEndOf = ({ date, zone, startsAt }: Span): string => {
  const nightEnds = new Date(Date.parse(startsAt) + NIGHT).toISOString();
  const dayEnds = endOfDay(date, zone);
  return nightEnds > dayEnds ? nightEnds : dayEnds;
};

/** Confirmed bookings then count as completed. */
export const isOver = (schedule: Span, now: Date): boolean => Date.parse(dayEndOf(schedule)) <= now.getTime();

/** `price` is in pence. */
export interface OnSale {
  readonly listingId: number;
  readonly title: string;
  readonly price: number;
  readonly schedule: Schedule;
  readonly minimumAge: number | null;
}

/** Sales close at the start. `at` is an ISO instant. */
export const onSale = (state: ListingState, at: string): OnSale | ErrorCode => {
  const { listingId, details, schedule } = state;
  if (listingId === null || !details || !schedule) return 'LISTING_NOT_FOUND';
  if (state.archived) return 'LISTING_ARCHIVED';
  if (!state.active || Date.parse(at) >= Date.parse(schedule.startsAt)) return 'SALES_CLOSED';
  const { title, price, extras } = details;
  return { listingId, title, price, schedule, minimumAge: extras.minimumAge };
};
