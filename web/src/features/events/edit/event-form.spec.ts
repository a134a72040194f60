import { expect, test } from 'vitest';
import { blankEvent, checkEvent, NEW } from './event-form.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');

test('a blank form reports what is missing, in the specified words', () => {
  const checked = checkEvent({ ...blankEvent, description: '<p><br></p>' }, 'Europe/London', NOW);
  expect(checked.ok ? {} : checked.problems).toMatchObject({
    title: 'Title is required',
    description: 'Description is required',
    category: 'Category is required',
    location: 'Location is required',
    cityId: 'City selection is required',
    venueId: 'Venue selection is required',
    date: 'Date is required',
    time: 'Time is required',
    price: 'Price is required',
    capacity: 'Capacity is required',
  });
});

test('a city and a venue added with the event are checked like their own forms', () => {
  const places = { ...blankEvent, cityId: NEW, venueId: NEW };
  const refused = checkEvent(places, 'Europe/London', NOW);
  expect(refused.ok ? {} : refused.problems).toMatchObject({
    'newCity.name': 'City name is required',
    'newCity.state': 'State is required',
    'newVenue.name': 'Venue name is required',
    'newVenue.address': 'Address is required',
    'newVenue.capacity': 'Capacity is required',
  });
  expect(refused.ok ? {} : refused.problems).not.toHaveProperty('cityId');
});

test('a complete form is sent with its numbers as numbers', () => {
  const form = {
    ...blankEvent,
    title: 'Late Set',
    description: '<p>Come early.</p>',
    category: 'concerts',
    cityId: '1',
    venueId: '2',
    location: '47 Frith Street',
    date: '2031-07-01',
    time: '22:30',
    price: '24.50',
    capacity: '160',
  };
  const checked = checkEvent(form, 'Europe/London', NOW);
  expect(checked.ok && checked.value).toMatchObject({
    description: '<p>Come early.</p>',
    price: 24.5,
    capacity: 160,
    availableTickets: 160,
    imageUrl: null,
    minimumAge: null,
    doors: null,
    tags: [],
  });
  const told = checkEvent({ ...form, tags: ' jazz, live,, ', doors: '21:30' }, 'Europe/London', NOW);
  expect(told.ok && told.value).toMatchObject({ tags: ['jazz', 'live'], doors: '21:30' });
  const adult = checkEvent({ ...form, minimumAge: '18' }, 'Europe/London', NOW);
  expect(adult.ok && adult.value.minimumAge).toBe(18);
  expect(checkEvent({ ...form, price: '0' }, 'Europe/London', NOW).ok).toBe(false);
  expect(checkEvent({ ...form, capacity: '1.5' }, 'Europe/London', NOW).ok).toBe(false);
});

test('the start must be in the future, by the clock at the venue', () => {
  const summer = Date.parse('2031-07-01T21:30:00Z');
  const form = {
    ...blankEvent,
    ...{ title: 'Late Set', description: 'Come early.', category: 'concerts', location: '47 Frith Street' },
    ...{ cityId: '1', venueId: '2', date: '2031-07-01', time: '22:30', price: '24.50', capacity: '160' },
  };
  // 22:30 in London is 21:30 UTC in summer.
  expect(checkEvent(form, 'Europe/London', summer - 1)).toMatchObject({ ok: true });
  expect(checkEvent(form, 'Europe/London', summer)).toEqual({
    ok: false,
    problems: { date: 'Event date must be in the future' },
  });
  expect(checkEvent(form, 'UTC', summer)).toMatchObject({ ok: true });
  // It is said together with what else is wrong, however early in the day it would be.
  const wrong = { ...form, title: '', price: '0' };
  expect(checkEvent(wrong, 'Europe/London', summer)).toEqual({
    ok: false,
    problems: {
      title: 'Title is required',
      date: 'Event date must be in the future',
      price: 'Price must be a positive number',
    },
  });
});
