import { type AdminEvent, type NewEventRequest, newEventRequest } from '#domain/contracts/admin-events.ts';
import { sentOf, typedOf } from '#domain/kernel/fields.ts';
import { toInstant } from '#domain/kernel/zone.ts';
import { extras } from '#domain/listing/extras.ts';
import { plainText } from '#domain/listing/preview.ts';
import { type Checked, check, type Problems } from '#web/lib/formatters/form.ts';

/** The form's values as typed; the description is HTML. */
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
  ...typedOf(extras),
  tags: '',
  imageUrl: '',
  featured: false,
  'newCity.name': '',
  'newCity.state': '',
  'newCity.country': 'United Kingdom',
  'newVenue.name': '',
  'newVenue.address': '',
  'newVenue.capacity': '',
};
export const NEW = 'new';
export type EventForm = typeof blankEvent;

export const formOf = (event: AdminEvent): EventForm => ({
  ...blankEvent,
  title: event.title,
  description: event.description,
  category: event.category,
  cityId: String(event.cityId),
  venueId: String(event.venueId),
  location: event.location,
  date: event.date,
  time: event.time,
  price: event.price,
  capacity: String(event.capacity),
  ...typedOf(extras, event),
  tags: event.tags.join(', '),
  imageUrl: event.imageUrl ?? '',
  featured: event.featured,
});

const missing: readonly (readonly [keyof EventForm, string])[] = [
  ['cityId', 'City selection is required'],
  ['venueId', 'Venue selection is required'],
  ['price', 'Price is required'],
  ['capacity', 'Capacity is required'],
];

const placesOf = (form: EventForm): Pick<NewEventRequest, 'cityId' | 'venueId' | 'newCity' | 'newVenue'> => ({
  ...(form.cityId === NEW
    ? {
        newCity: {
          name: form['newCity.name'],
          state: form['newCity.state'],
          country: form['newCity.country'],
        },
      }
    : { cityId: Number(form.cityId) }),
  ...(form.venueId === NEW
    ? {
        newVenue: {
          name: form['newVenue.name'],
          address: form['newVenue.address'],
          capacity: form['newVenue.capacity'] === '' ? Number.NaN : Number(form['newVenue.capacity']),
        },
      }
    : { venueId: Number(form.venueId) }),
});

/**
 * @param zone time zone of date and time
 * @param before the existing event: its city, date and time may be in the past while unchanged
 */
export const checkEvent = (
  form: EventForm,
  zone: string,
  now: number,
  before?: Pick<AdminEvent, 'cityId' | 'date' | 'time'>,
): Checked<NewEventRequest> => {
  const sent: NewEventRequest = {
    title: form.title,
    // An emptied editor still contains an empty paragraph.
    description: plainText(form.description) && form.description,
    category: form.category,
    location: form.location,
    ...placesOf(form),
    date: form.date,
    time: form.time,
    price: form.price === '' ? Number.NaN : Number(form.price),
    capacity: Number(form.capacity),
    availableTickets: Number(form.capacity),
    featured: form.featured,
    ...sentOf(extras, form),
    tags: form.tags.split(',').flatMap((tag) => tag.trim() || []),
    imageUrl: form.imageUrl.trim() || null,
  };
  const checked = check(newEventRequest, sent);
  const problems: Problems = checked.ok ? {} : { ...checked.problems };
  if (!checked.ok) for (const [name, words] of missing) if (form[name] === '') problems[name] = words;
  if (problems.date === undefined && problems.time === undefined) {
    const starts = Date.parse(toInstant({ date: form.date, time: form.time }, zone));
    const stays =
      form.cityId === String(before?.cityId) && form.date === before?.date && form.time === before.time;
    if (starts <= now && !stays) problems.date = 'Event date must be in the future';
  }
  return Object.keys(problems).length > 0 ? { ok: false, problems } : { ok: true, value: sent };
};
