import { describe, expect, it, vi } from 'vitest';
import type * as z from 'zod/mini';
import { createEventRequest, newEventRequest } from './admin-events.ts';
import { cityRequest, venueRequest } from './admin-places.ts';
import { webhookRequest } from './admin-webhooks.ts';
import {
  forgotPasswordRequest,
  loginRequest,
  registerForm,
  registerRequest,
  resetPasswordForm,
  tokenRequest,
} from './auth.ts';
import { cancelBookingRequest, createBookingRequest } from './bookings.ts';
import { eventQuery } from './catalogue.ts';
import { listQuery, parsePositionToken } from './envelope.ts';
import { idText, imageUrl, instant } from './fields.ts';
import { subscribeRequest } from './newsletter.ts';
import { createPaymentIntentRequest } from './payments.ts';
import { enhanceProfileRequest } from './profile.ts';
import { processRefundRequest } from './refunds.ts';
import { siteSettings } from './site.ts';
import { supportRequest } from './support.ts';
import { scanRequest, ticketTokenOf } from './tickets.ts';

/** The complaints about an input: `field: text`, or nothing. */
const complaints = (schema: z.ZodMiniType, input: unknown): string[] => {
  const { error } = schema.safeParse(input);
  return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
};

/** Of an event of which the form says nothing. */
const nothingSaid = [
  'title: Title is required',
  'description: Description is required',
  'category: Category is required',
  'location: Location is required',
  'cityId: City selection is required',
  'venueId: Venue selection is required',
  'date: Date is required',
  'time: Time is required',
  'price: Price is required',
  'capacity: Capacity is required',
];

describe('the request schemas', () => {
  const person = { email: 'ann@example.org', password: 'secret', firstName: 'Ann', lastName: '' };
  const event = {
    title: 'Night Ferry',
    description: '<p>Four voices</p>',
    category: 'concerts',
    location: '1 Quay Street',
    cityId: 1,
    venueId: 2,
    date: '2026-12-04',
    time: '19:30',
    price: 28.5,
    capacity: 300,
    availableTickets: 300,
    featured: false,
    imageUrl: null,
  };

  it.each<[string, z.ZodMiniType, unknown, string[]]>([
    [
      'names that nobody sees',
      registerRequest,
      { ...person, firstName: '\u200b\u3164\ufe0f' },
      ['firstName: First name is required'],
    ],
    [
      'names of several lines',
      registerRequest,
      { ...person, firstName: 'Ann\r\nBcc: eve', lastName: 'A\u2028B' },
      [
        'firstName: Must be one line, without control characters',
        'lastName: Must be one line, without control characters',
      ],
    ],
    [
      'names that turn what follows',
      registerRequest,
      { ...person, lastName: '\u202Egnp' },
      ['lastName: Must be one line, without control characters'],
    ],
    [
      'names of any writing',
      registerRequest,
      { ...person, firstName: 'می\u200cخواهم', lastName: 'שלום 👩‍👧 Łódź' },
      [],
    ],
    [
      'sign in',
      loginRequest,
      { email: 'x', password: '12345' },
      ['email: Invalid email address', 'password: Password must be at least 6 characters'],
    ],
    [
      'sign in',
      loginRequest,
      {},
      ['email: Invalid email address', 'password: Password must be at least 6 characters'],
    ],
    ['register', registerRequest, { ...person, firstName: ' ' }, ['firstName: First name is required']],
    [
      'register',
      registerForm(),
      { ...person, confirmPassword: 'other' },
      ["confirmPassword: Passwords don't match"],
    ],
    ['forgot', forgotPasswordRequest, { email: ' ' }, ['email: Please enter your email address']],
    ['forgot', forgotPasswordRequest, { email: 'ann' }, ['email: Invalid email address']],
    [
      'reset link',
      tokenRequest,
      { token: '' },
      ['token: This password reset link is invalid or has expired.'],
    ],
    [
      'reset',
      resetPasswordForm(),
      { password: '1234567', confirmPassword: '1234567' },
      ['password: Password must be at least 8 characters'],
    ],
    [
      'newsletter',
      subscribeRequest,
      { email: 'ann', source: 'landing_page' },
      ['email: Please enter a valid email address.'],
    ],
    [
      'newsletter, turned round',
      subscribeRequest,
      { email: 'ann\u202E@moc.example' },
      ['email: Please enter a valid email address.'],
    ],
    [
      'newsletter, with a control character',
      subscribeRequest,
      { email: 'ann\u001B[2J@example.com' },
      ['email: Please enter a valid email address.'],
    ],
    [
      'cancel',
      cancelBookingRequest,
      { bookingId: 1, reason: 'too short' },
      ['reason: Please provide a detailed reason (minimum 10 characters)'],
    ],
    [
      'support',
      supportRequest,
      { name: '', email: 'ann@example.org', message: ' ' },
      ['name: Please fill in all required fields.', 'message: Please fill in all required fields.'],
    ],
    [
      'support',
      supportRequest,
      { name: 'Ann', email: ' ', message: 'Hello' },
      ['email: Please fill in all required fields.'],
    ],
    [
      'support',
      supportRequest,
      { name: 'Ann', email: 'ann', message: 'Hello' },
      ['email: Invalid email address'],
    ],
    ['support', supportRequest, { name: 'Ann', email: 'a@b.co', message: 'Hello', category: '' }, []],
    [
      'profile',
      enhanceProfileRequest,
      { dateOfBirth: '' },
      [
        'dateOfBirth: Date of birth is required',
        'dateOfBirth: Must be a date',
        'dateOfBirth: There is no such day',
      ],
    ],
    ['refund', processRefundRequest, { approved: false, notes: ' ' }, ['notes: Denial reason is required']],
    ['scan', scanRequest, { encryptedData: '' }, ['encryptedData: Please enter a QR code to scan']],
    ['scan', scanRequest, { encryptedData: ' \n' }, ['encryptedData: Please enter a QR code to scan']],
    [
      'city',
      cityRequest,
      {},
      ['name: City name is required', 'state: State is required', 'country: Country is required'],
    ],
    [
      'venue',
      venueRequest,
      {},
      [
        'name: Venue name is required',
        'address: Address is required',
        'cityId: City is required',
        'capacity: Capacity is required',
      ],
    ],
    ['event', createEventRequest, {}, nothingSaid],
    ['event', newEventRequest, {}, nothingSaid],
    [
      'event',
      createEventRequest,
      { ...event, date: '', time: '' },
      ['date: Date is required', 'time: Time is required'],
    ],
    [
      'event',
      newEventRequest,
      { ...event, title: ' ', cityId: undefined, venueId: undefined },
      [
        'title: Title is required',
        'cityId: City selection is required',
        'venueId: Venue selection is required',
      ],
    ],
    ['event', newEventRequest, 'none', [expect.stringMatching(/^: /)]],
    [
      'venue',
      venueRequest,
      { name: 'Hall', address: '2 Regent Road', cityId: 1, capacity: 1.5 },
      ['capacity: Capacity must be a positive integer'],
    ],
    [
      'event',
      createEventRequest,
      { ...event, price: 0, capacity: 0 },
      ['price: Price must be a positive number', 'capacity: Capacity must be a positive integer'],
    ],
    [
      'event',
      createEventRequest,
      { ...event, price: -1, capacity: 1.5 },
      ['price: Price must be a positive number', 'capacity: Capacity must be a positive integer'],
    ],
    ['event', createEventRequest, { ...event, date: '9999-12-31' }, ['date: Must be in this millennium']],
    ['event', createEventRequest, { ...event, date: '4 Dec' }, ['date: Must be a date such as 2026-12-04']],
    ['event', createEventRequest, event, []],
    ['register', registerRequest, person, []],
  ])('report the specification’s messages: %s', (_, schema, input, expected) => {
    expect(complaints(schema, input)).toEqual(expected);
  });
});

describe('every call refuses', () => {
  it.each([
    ['NUL', 'a\0b'],
    ['a lone surrogate', 'a\ud800b'],
    ['more than a name', 'x'.repeat(101)],
  ])('%s', (_, name) => {
    expect(complaints(cityRequest, { name, state: 's', country: 'c' })).toHaveLength(1);
  });

  it('unknown fields', () => {
    expect(loginRequest.safeParse({ email: 'a@b.co', password: 'secret', admin: true }).success).toBe(false);
    expect(eventQuery.safeParse({ utm_source: 'x' }).success).toBe(true);
  });

  it.each([0, 11, 1.5, '2', null])('%s as a number of tickets', (quantity) => {
    const booking = { eventId: 1, quantity, totalAmount: '1.00' };
    expect(createBookingRequest.safeParse(booking).success).toBe(false);
  });

  it.each(['0', '-1', '1.0', '2147483648', '99999999999', '1e3', ' 1', ''])('the id "%s"', (id) => {
    expect(idText().safeParse(id).success).toBe(false);
  });

  it.each(['javascript:alert(1)', '//evil.test/x.png', 'data:image/png;base64,x', 'x.png', 'https://a b'])(
    'the image address %s',
    (url) => expect(imageUrl().safeParse(url).success).toBe(false),
  );

  it('a repeated query parameter', () => {
    expect(eventQuery.safeParse({ city: ['London', 'Leeds'] }).success).toBe(false);
  });
});

describe('parsing turns', () => {
  it('numbers and decimal text into pence', () => {
    const of = (amount: unknown) =>
      createPaymentIntentRequest.safeParse({ eventId: 1, quantity: 2, amount }).data?.amount;
    expect([57, 57.5, '57.50', '0', 0].map(of)).toEqual([5_700, 5_750, 5_750, 0, 0]);
    expect(['57.505', -1, 'NaN', Number.NaN, 1e21, '1e3', null].map(of)).toEqual(
      Array.from({ length: 7 }, () => undefined),
    );
  });

  it('an ISO timestamp into a date of birth', () => {
    const of = (dateOfBirth: string) => enhanceProfileRequest.safeParse({ dateOfBirth }).data?.dateOfBirth;
    expect(of('1990-02-28T00:00:00.000Z')).toBe('1990-02-28');
    expect(of('1990-02-28')).toBe('1990-02-28');
    expect(of('1990-02-30')).toBeUndefined();
    expect(of('28/02/1990')).toBeUndefined();
  });

  it('list parameters into a query', () => {
    const query = listQuery(['date', 'price'], {});
    expect(query.parse({})).toEqual({ page: 1, limit: 500 });
    expect(query.parse({ limit: '25', offset: '50' })).toEqual({ page: 1, limit: 25, offset: 50 });
    expect(query.parse({ page: '3', sort: '-price', search: ' jazz ' })).toMatchObject({
      page: 3,
      sort: '-price',
      search: 'jazz',
    });
    for (const wrong of [{ page: '0' }, { limit: '501' }, { sort: '--date' }, { sort: 'name' }, { sort: '' }])
      expect(query.safeParse(wrong).success).toBe(false);
  });

  it('ids and instants into numbers and dates', () => {
    expect(idText().parse('42')).toBe(42);
    expect(instant().parse('2026-07-04T19:30:00+01:00')).toBe('2026-07-04T18:30:00.000Z');
  });

  it('a link or a token into a ticket’s token', () => {
    expect(ticketTokenOf(' https://x.test/verify-ticket/abc-_1?utm=1 ')).toBe('abc-_1');
    expect(ticketTokenOf('HTTPS://T/T/123')).toBe('123');
    expect(ticketTokenOf('https://x.test/t/123?utm=1')).toBe('123');
    expect(ticketTokenOf('abc-_1')).toBe('abc-_1');
    const digits = '1234'.repeat(52);
    expect(ticketTokenOf(`HTTPSÖ--X.TEST-T-${digits}`)).toBe(digits);
  });

  it('text into a position token', () => {
    expect(parsePositionToken('a-b:0000000042')).toEqual({ log: 'a-b', position: '0000000042' });
    expect(['', 'a', ':1', 'a:', undefined].map(parsePositionToken)).toEqual(Array.from({ length: 5 }));
  });

  it('entries into settings, with defaults for missing ones', () => {
    const settings = siteSettings([
      { key: 'site_name', value: 'Encore' },
      { key: 'booking_enabled', value: 'false' },
      { key: 'events_per_page', value: 'many' },
    ]);
    expect(settings).toMatchObject({
      siteName: 'Encore',
      siteTagline: 'Discover Amazing Events',
      bookingEnabled: false,
      newsletterEnabled: true,
      eventsPerPage: 12,
    });
  });
});

it('a webhook’s address is checked in browsers without URL.canParse too', () => {
  const missing = vi.spyOn(URL, 'canParse').mockImplementation(() => {
    throw new TypeError('URL.canParse is not a function');
  });
  const hook = (url: string) => ({ url, types: ['booking.placed'] });
  expect(complaints(webhookRequest, hook('https://hooks.example.org/in'))).toEqual([]);
  expect(complaints(webhookRequest, hook('hooks.example.org'))).toEqual(['url: Must be an https address']);
  missing.mockRestore();
});
