import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { sayTime, toInstant, type WallClock } from '#domain/kernel/zone.ts';
import { type ListingExtras, timesOf } from '#domain/listing/extras.ts';

const MINUTE = 60_000;

export interface CalendarEntry extends WallClock, ListingExtras {
  readonly id: number;
  readonly title: string;
  readonly venue: string;
  readonly location: string;
  readonly startsAt: string;
  readonly zone: string;
  readonly isCancelled?: boolean;
}

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
    // Calendars prefer the higher sequence number.
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

export const CALENDAR_TYPE = 'text/calendar; charset=utf-8';
