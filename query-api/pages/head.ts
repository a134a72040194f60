import type { Event } from '#domain/contracts/catalogue.ts';
import type { SiteSettings } from '#domain/contracts/site.ts';
import { sayLongDate, sayTime, toInstant, toWallClock, type WallClock } from '#domain/kernel/zone.ts';
import { timesOf } from '#domain/listing/extras.ts';
import { plainText } from '#domain/listing/preview.ts';

export interface Head {
  readonly title: string;
  readonly siteName: string;
  readonly description: string;
  readonly url: string;
  readonly image: { readonly url: string; readonly width: number; readonly height: number };
  readonly data?: object;
  readonly isHidden?: boolean;
  readonly isMissing?: boolean;
}

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escaped = (text: string): string => text.replace(/[&<>"']/g, (one) => ESCAPED[one] ?? one);

export const tagsOf = ({ title, siteName, description, url, image, data, isHidden }: Head): string => {
  const properties = {
    'og:type': 'website',
    'og:site_name': siteName,
    'og:title': title,
    'og:description': description,
    'og:url': url,
    'og:image': image.url,
    'og:image:width': image.width,
    'og:image:height': image.height,
    'og:image:alt': title,
  };
  return [
    `<title>${escaped(title)}</title>`,
    `<meta name="description" content="${escaped(description)}">`,
    `<link rel="canonical" href="${escaped(url)}">`,
    ...Object.entries(properties).map(
      ([name, value]) => `<meta property="${name}" content="${escaped(String(value))}">`,
    ),
    '<meta name="twitter:card" content="summary_large_image">',
    ...(isHidden ? ['<meta name="robots" content="noindex">'] : []),
    // No text can close the element.
    ...(data
      ? [`<script type="application/ld+json">${JSON.stringify(data).replace(/</g, '\\u003c')}</script>`]
      : []),
  ].join('\n    ');
};

const SHOWN = 200;

const shortened = (text: string): string =>
  text.length <= SHOWN
    ? text
    : `${text
        .slice(0, SHOWN - 1)
        .replace(/[\uD800-\uDBFF]$/, '')
        .trimEnd()}…`;

const shareImage = (baseUrl: string) => ({ url: `${baseUrl}/share.png`, width: 1200, height: 630 });

const SITE =
  'Concerts, dining, nightlife and culture in UK cities. Find a night, pay by card, and your ticket is on your phone.';

export const siteHead = (
  { siteName, siteTagline }: Pick<SiteSettings, 'siteName' | 'siteTagline'>,
  baseUrl: string,
  { path, title }: { readonly path: string; readonly title?: string },
): Head => ({
  title: title ? `${title} · ${siteName}` : `${siteName}: ${siteTagline}`,
  siteName,
  description: SITE,
  url: baseUrl + path,
  image: shareImage(baseUrl),
  data: { '@context': 'https://schema.org', '@type': 'WebSite', name: siteName, url: `${baseUrl}/` },
});

const timeThere = ({ date, time }: WallClock, zone: string): string => {
  const instant = toInstant({ date, time }, zone);
  const minutes = (Date.parse(`${date}T${time}:00Z`) - Date.parse(instant)) / 60_000;
  const distance = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const [hours, rest] = distance.map((one) => String(one).padStart(2, '0'));
  return `${date}T${time}:00${minutes < 0 ? '-' : '+'}${hours}:${rest}`;
};

const statusOf = ({ notBookable, movedFrom, zone }: Event) => {
  if (notBookable === 'archived') return { eventStatus: 'https://schema.org/EventCancelled' };
  if (movedFrom.length === 0) return { eventStatus: 'https://schema.org/EventScheduled' };
  const [one, ...more] = movedFrom.map((at) => timeThere(toWallClock(at, zone), zone));
  return {
    eventStatus: 'https://schema.org/EventRescheduled',
    previousStartDate: more.length > 0 ? [one, ...more] : one,
  };
};

const offers = ({ bookable, notBookable, price }: Event, url: string) =>
  bookable || notBookable === 'sold_out'
    ? {
        '@type': 'Offer',
        url,
        price,
        priceCurrency: 'GBP',
        availability: `https://schema.org/${bookable ? 'InStock' : 'SoldOut'}`,
      }
    : undefined;

const eventData = (event: Event, url: string, { image, siteName }: Pick<Head, 'image' | 'siteName'>) => {
  const { zone, minimumAge, organiser } = event;
  const { doors, end } = timesOf(event);
  return {
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: event.title,
    description: plainText(event.description),
    url,
    image: [image.url],
    startDate: timeThere(event, zone),
    endDate: end && timeThere(end, zone),
    doorTime: doors && timeThere(doors, zone),
    ...statusOf(event),
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    location: {
      '@type': 'Place',
      name: event.venue,
      address: { '@type': 'PostalAddress', streetAddress: event.location, addressLocality: event.city },
    },
    offers: offers(event, url),
    organizer: { '@type': 'Organization', name: organiser ?? siteName },
    typicalAgeRange: minimumAge === null ? undefined : `${minimumAge}-`,
  };
};

export const eventHead = (
  event: Event,
  { siteName }: Pick<SiteSettings, 'siteName'>,
  { baseUrl, now }: { readonly baseUrl: string; readonly now: Date },
): Head => {
  const url = `${baseUrl}/events/${event.id}`;
  const isCalledOff = event.notBookable === 'archived' && event.dayEndsAt > now.toISOString();
  const [largest] = event.picture?.sizes.slice(-1) ?? [];
  const image =
    event.picture && largest
      ? { url: largest.url, width: event.picture.width, height: event.picture.height }
      : shareImage(baseUrl);
  return {
    title: `${event.title} · ${siteName}`,
    siteName,
    description: shortened(
      `${isCalledOff ? 'Called off. ' : ''}${sayLongDate(event.date)}, ${sayTime(event.time)} · ${event.venue}, ${event.city}. ${plainText(event.description)}`,
    ),
    url,
    image,
    data: eventData(event, url, { image, siteName }),
    isHidden: event.notBookable === 'archived' || event.notBookable === 'inactive',
  };
};
