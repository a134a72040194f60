import { type CreateEventRequest, createEventRequest } from '#domain/contracts/admin-events.ts';
import { plainText } from '#domain/listing/preview.ts';
import { toInstant } from '#domain/zone.ts';
import { type Checked, check } from '../../words/form.ts';

/** What the form holds: texts, as they were typed. The description is HTML. */
export const blankEvent = {
  title: '',
  description: '',
  category: '',
  cityId: '',
  venueId: '',
  location: '',
  date: '',
  time: '',
  price: '',
  capacity: '',
  imageUrl: '',
  featured: false,
};
export type EventForm = typeof blankEvent;

const missing: readonly (readonly [keyof EventForm, string])[] = [
  ['cityId', 'City selection is required'],
  ['venueId', 'Venue selection is required'],
  ['price', 'Price is required'],
  ['capacity', 'Capacity is required'],
];

/**
 * Checks the form by its contract; what was left blank says so in the specification's words.
 * @param zone where the clock hangs that the date and the time are read from
 */
export const checkEvent = (form: EventForm, zone: string, now: number): Checked<CreateEventRequest> => {
  const sent = {
    title: form.title,
    // An editor that was emptied still holds a paragraph.
    description: plainText(form.description) && form.description,
    category: form.category,
    location: form.location,
    cityId: Number(form.cityId),
    venueId: Number(form.venueId),
    date: form.date,
    time: form.time,
    price: form.price === '' ? Number.NaN : Number(form.price),
    capacity: Number(form.capacity),
    availableTickets: Number(form.capacity),
    featured: form.featured,
    imageUrl: form.imageUrl.trim() || null,
  };
  const checked = check(createEventRequest, sent);
  if (checked.ok) {
    const starts = Date.parse(toInstant({ date: form.date, time: form.time }, zone));
    if (starts > now) return { ok: true, value: sent };
    return { ok: false, problems: { date: 'Event date must be in the future' } };
  }
  const problems = { ...checked.problems };
  for (const [name, words] of missing) if (form[name] === '') problems[name] = words;
  return { ok: false, problems };
};
