import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import type { Event } from '#domain/contracts/catalogue.ts';
import { sayTime, toInstant } from '#domain/zone.ts';
import { endOf } from './head.ts';

/** An event as a file for calendars (RFC 5545). It has one name for good, so that a calendar that has it already changes it. */
export const calendarOf = (
  event: Event,
  { siteName, baseUrl, now }: { readonly siteName: string; readonly baseUrl: string; readonly now: Date },
): string => {
  const { id, title, venue, city, location, startsAt, zone, doors, notBookable } = event;
  const end = endOf(event);
  const calendar = ical({
    prodId: { company: siteName, product: 'Events' },
    method: ICalCalendarMethod.PUBLISH,
  });
  calendar.createEvent({
    id: `event-${id}@${new URL(baseUrl).hostname}`,
    stamp: now,
    start: startsAt,
    end: end ? toInstant(end, zone) : null,
    summary: title,
    location: `${venue}, ${city}, ${location}`,
    description: doors ? `Doors at ${sayTime(doors)}.` : null,
    url: `${baseUrl}/events/${id}`,
    status: notBookable === 'archived' ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
  });
  return calendar.toString();
};
