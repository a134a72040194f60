import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { sayTime, toInstant, type WallClock } from '#domain/kernel/zone.ts';
import { type ListingExtras, timesOf } from '#domain/listing/extras.ts';

const MINUTE = 60_000;

/** An event as calendars have it. */
export interface CalendarEntry extends WallClock, ListingExtras {
  readonly id: number;
  readonly title: string;
  readonly venue: string;
  /** The full address. */
  readonly location: string;
  readonly startsAt: string;
  readonly zone: string;
  readonly isCancelled?: boolean;
}

/** An event as a file for calendars (RFC 5545). It has one name for good, so that a calendar that has it already changes it. */
export const calendarOf = (
  entry: CalendarEntry,
  { siteName, baseUrl, now }: { readonly siteName: string; readonly baseUrl: string; readonly now: Date },
): Buffer => {
  const { id, title, venue, location, startsAt, zone, doors, lastEntry, isCancelled } = entry;
  const { end } = timesOf(entry);
  const told = [doors && `Doors at ${sayTime(doors)}`, lastEntry && `Last entry ${sayTime(lastEntry)}`];
  const times = told.filter(Boolean).join(' · ');
  const calendar = ical({
    prodId: { company: siteName, product: 'Events' },
    method: ICalCalendarMethod.PUBLISH,
  });
  calendar.createEvent({
    id: `event-${id}@${new URL(baseUrl).hostname}`,
    stamp: now,
    // A later file takes the place of an earlier one.
    sequence: Math.floor(now.getTime() / MINUTE),
    start: startsAt,
    end: end ? toInstant(end, zone) : null,
    summary: title,
    location: `${venue}, ${location}`,
    description: times ? `${times}, local time.` : null,
    url: `${baseUrl}/events/${id}`,
    status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
  });
  return Buffer.from(calendar.toString());
};

/** The type of such a file. */
export const CALENDAR_TYPE = 'text/calendar; charset=utf-8';
