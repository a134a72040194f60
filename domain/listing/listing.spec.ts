import { describe, expect, it } from 'vitest';
import { fold } from '#tests/kit/fold.ts';
import { given } from '#tests/kit/given-when-then.ts';
import type { ListingDetails, ListingEvent, Schedule } from './events.ts';
import { extrasOf } from './extras.ts';
import { type ListingCommand, listing } from './listing.ts';
import { plainText } from './preview.ts';
import { isOver, onSale } from './state.ts';

const at = '2026-11-21T12:00:00.000Z';
const details: ListingDetails = {
  title: 'Night Ferry',
  description: '<p>Four voices and a harmonium.</p>',
  category: 'concerts',
  cityId: 1,
  venueId: 2,
  location: '1 Quay Street, London',
  price: 2_850,
  imageUrl: null,
  tags: ['folk'],
  extras: extrasOf(),
};
const schedule: Schedule = {
  date: '2026-12-04',
  time: '19:30',
  zone: 'Europe/London',
  startsAt: '2026-12-04T19:30:00.000Z',
};
const start = { date: '2026-12-04', time: '19:30', zone: 'Europe/London' };
const create: ListingCommand = { type: 'CreateListing', listingId: 7, details, start, featured: false, at };
const edit: ListingCommand = { type: 'EditListing', details, start, at };
const created: ListingEvent = {
  type: 'ListingCreated',
  data: { listingId: 7, ...details, ...schedule, featured: false },
};
const deactivated: ListingEvent = { type: 'ListingDeactivated', data: { listingId: 7 } };
const archived: ListingEvent = { type: 'ListingArchived', data: { listingId: 7 } };
const notInFuture = {
  rejected: 'BAD_INPUT',
  details: {
    fields: { date: 'Event date must be in the future' },
    errors: ['Event date must be in the future'],
  },
} as const;

const AFTER_THE_END = { lastEntry: 'The last entry must not be after the end' };
const BEFORE_THE_DOORS = { lastEntry: 'The last entry must be after the doors open' };

describe('creating a listing', () => {
  it('records the start at the venue and as an instant', () => {
    given(listing, []).when(create).then([created]);
  });

  it('can be repeated without an event', () => {
    given(listing, [created]).when(create).thenNothing();
  });

  it.each([
    ['yesterday', { ...start, date: '2026-11-20' }],
    ['this very minute', { ...start, date: '2026-11-21', time: '12:00' }],
  ])('refuses a start %s', (_, past) => {
    given(listing, [])
      .when({ ...create, start: past })
      .then(notInFuture);
  });

  it('uses the time zone to check that the start is in the future', () => {
    given(listing, [])
      .when({ ...create, start: { date: '2026-11-21', time: '12:30', zone: 'Europe/Paris' } })
      .then(notInFuture);
  });

  it.each([
    ['doors after the start', '19:30', { doors: '20:00' }, { doors: 'The doors must open before the start' }],
    ['an end at the start', '19:30', { end: '19:30' }, { end: 'The end must differ from the start' }],
    ['doors at the start and an end after midnight', '19:30', { doors: '19:30', end: '02:00' }, undefined],
    ['doors before midnight for a start after it', '00:30', { doors: '23:30', end: '05:00' }, undefined],
    ['a last entry after the end', '19:30', { end: '22:00', lastEntry: '22:30' }, AFTER_THE_END],
    [
      'a last entry after an end after midnight',
      '22:00',
      { end: '04:00', lastEntry: '04:30' },
      AFTER_THE_END,
    ],
    ['a last entry before the doors', '19:30', { doors: '19:00', lastEntry: '18:30' }, BEFORE_THE_DOORS],
    ['a last entry as the doors open', '19:30', { doors: '19:00', lastEntry: '19:00' }, BEFORE_THE_DOORS],
    [
      'a last entry nearer to the doors than to the end',
      '19:30',
      { doors: '19:00', end: '23:00', lastEntry: '18:00' },
      BEFORE_THE_DOORS,
    ],
    [
      'a last entry before the start',
      '19:30',
      { doors: '19:00', end: '22:00', lastEntry: '19:25' },
      undefined,
    ],
    ['a last entry before the start alone', '19:30', { end: '22:00', lastEntry: '19:00' }, undefined],
    [
      'a last entry between doors and start, over midnight',
      '00:30',
      { doors: '23:30', lastEntry: '00:15' },
      undefined,
    ],
    ['a last entry after midnight', '22:00', { doors: '21:00', end: '04:00', lastEntry: '01:30' }, undefined],
    ['a last entry as it ends', '10:00', { end: '18:00', lastEntry: '18:00' }, undefined],
    ['a last entry late on a day without an end', '08:30', { doors: '08:00', lastEntry: '21:00' }, undefined],
    ['a last entry alone', '19:30', { lastEntry: '18:00' }, undefined],
  ])('checks doors, end and last entry: %s', (_, time, told, fields) => {
    const extras = extrasOf(told);
    const made = given(listing, []).when({
      ...create,
      details: { ...details, extras },
      start: { ...start, time },
    });
    if (fields) made.then({ rejected: 'BAD_INPUT', details: { fields, errors: Object.values(fields) } });
    else expect(made.state.details?.extras).toEqual(extras);
  });

  it('records the time that clocks will show if summer time skips the hour', () => {
    const { state } = given(listing, []).when({
      ...create,
      start: { date: '2027-03-28', time: '01:30', zone: 'Europe/London' },
    });
    expect(state.schedule).toMatchObject({ time: '02:30', startsAt: '2027-03-28T01:30:00.000Z' });
  });

  it.each([
    ['markup alone', '<p><br></p>&nbsp;'],
    ['characters that nobody sees', '<p>\u200b &#8203;\u2060</p>'],
  ])('refuses a description of %s', (_, description) => {
    given(listing, [])
      .when({ ...create, details: { ...details, description } })
      .then({
        rejected: 'BAD_INPUT',
        details: { fields: { description: 'Description is required' }, errors: ['Description is required'] },
      });
  });
});

describe('editing a listing', () => {
  it('refuses a start moved before the doors, but does not recheck unchanged times', () => {
    const extras = extrasOf({ doors: '19:00', end: '19:30' });
    const said: ListingEvent = { ...created, data: { ...created.data, extras } };
    const history = given(listing, [said]);
    history
      .when({ ...edit, details: { ...details, extras }, start: { ...start, time: '18:00' } })
      .thenRejected('BAD_INPUT');
    history.when({ ...edit, details: { ...details, extras, title: 'Day Ferry' } }).thenNotRejected();
  });

  it('records only the differences', () => {
    given(listing, [created]).when(edit).thenNothing();
    given(listing, [created])
      .when({ ...edit, details: { ...details, price: 3_000 } })
      .then([{ type: 'ListingEdited', data: { listingId: 7, ...details, price: 3_000 } }]);
  });

  it('keeps a start that has passed, and refuses another one in the past', () => {
    const later = { ...edit, at: '2026-12-05T00:00:00.000Z', details: { ...details, price: 3_000 } };
    given(listing, [created])
      .when(later)
      .then([{ type: 'ListingEdited', data: { listingId: 7, ...details, price: 3_000 } }]);
    given(listing, [created])
      .when({ ...later, start: { ...start, time: '20:30' } })
      .then(notInFuture);
  });

  it('records the former start of a moved event', () => {
    given(listing, [created])
      .when({ ...edit, start: { ...start, date: '2026-12-05' } })
      .then([
        {
          type: 'ListingRescheduled',
          data: {
            listingId: 7,
            from: schedule,
            ...schedule,
            date: '2026-12-05',
            startsAt: '2026-12-05T19:30:00.000Z',
          },
        },
      ]);
  });

  const toRome = { type: 'CorrectZone', zone: 'Europe/Rome', at } as const;
  const inRome = { ...schedule, zone: 'Europe/Rome', startsAt: '2026-12-04T18:30:00.000Z' };
  const corrected: ListingEvent = {
    type: 'ListingRescheduled',
    data: { listingId: 7, from: schedule, ...inRome },
  };

  it('keeps date and time when its city’s zone was corrected, at another instant', () => {
    const done = given(listing, [created]).when(toRome);
    done.then([corrected]);
    expect(done.state).toMatchObject({ schedule: inRome, former: [schedule] });
    given(listing, [created, corrected]).when(toRome).thenNothing();
    given(listing, [created, archived]).when(toRome).thenRejected('LISTING_ARCHIVED');
  });

  it('changes nothing if the event had begun by both clocks when the zone was corrected', () => {
    given(listing, [created])
      .when({ ...toRome, at: '2026-12-04T19:00:00.000Z' })
      .then([corrected]);
    given(listing, [created])
      .when({ ...toRome, at: '2026-12-04T19:30:00.000Z' })
      .thenNothing();
  });

  it('does not move the event if city, date and time stay the same', () => {
    const rome = { ...start, zone: 'Europe/Rome' };
    const renamed = { ...details, title: 'Day Ferry' };
    for (const now of [at, '2026-12-05T00:00:00.000Z'])
      given(listing, [created])
        .when({ ...edit, details: renamed, start: rome, at: now })
        .then([{ type: 'ListingEdited', data: { listingId: 7, ...renamed } }]);
    const elsewhere = { ...details, cityId: details.cityId + 1 };
    given(listing, [created])
      .when({ ...edit, details: elsewhere, start: rome })
      .then([{ type: 'ListingEdited', data: { listingId: 7, ...elsewhere } }, corrected]);
  });

  it('requires a listing that exists and was not deleted', () => {
    given(listing, []).when(edit).thenRejected('LISTING_NOT_FOUND');
    given(listing, [created, archived]).when(edit).thenRejected('LISTING_ARCHIVED');
  });
});

describe('a listing’s extras', () => {
  const adult = { ...details, extras: extrasOf({ minimumAge: 18, doors: '19:00' }) };
  const made: ListingEvent = { ...created, data: { ...created.data, ...adult } };

  it('are empty if the event has none', () => {
    const { extras: _, ...bare } = created.data;
    const before = { ...created, data: bare };
    expect(onSale(fold(listing, [before]), at)).toMatchObject({ minimumAge: null });
    expect(onSale(fold(listing, [made]), at)).toMatchObject({ minimumAge: 18 });
    given(listing, [before]).when(edit).thenNothing();
  });

  it('are changed with the details', () => {
    const changed = { ...adult, extras: { ...adult.extras, minimumAge: 16 } };
    given(listing, [made])
      .when({ ...edit, details: changed })
      .then([{ type: 'ListingEdited', data: { listingId: 7, ...changed } }]);
  });

  it('are kept when a program that does not know them edits the other details', () => {
    const { doors: _, ...known } = { ...adult.extras, minimumAge: 16 };
    const edited: ListingEvent = { type: 'ListingEdited', data: { listingId: 7, ...details, extras: known } };
    expect(fold(listing, [made, edited]).details?.extras).toMatchObject({ minimumAge: 16, doors: '19:00' });
  });
});

describe('a listing’s switches', () => {
  it('feature a listing and end that', () => {
    const featured: ListingEvent = { type: 'ListingFeatured', data: { listingId: 7, featured: true } };
    given(listing, [created]).when({ type: 'FeatureListing', featured: true }).then([featured]);
    given(listing, [created, featured]).when({ type: 'FeatureListing', featured: true }).thenNothing();
  });

  it('deactivate and activate it', () => {
    given(listing, [created]).when({ type: 'DeactivateListing' }).then([deactivated]);
    given(listing, [created, deactivated]).when({ type: 'DeactivateListing' }).thenNothing();
    given(listing, [created, deactivated])
      .when({ type: 'ActivateListing' })
      .then([{ type: 'ListingActivated', data: { listingId: 7 } }]);
    given(listing, [created]).when({ type: 'ActivateListing' }).thenNothing();
  });

  it('archive it once', () => {
    given(listing, [created]).when({ type: 'ArchiveListing' }).then([archived]);
    given(listing, [created, archived]).when({ type: 'ArchiveListing' }).thenNothing();
  });
});

describe('a listing on sale', () => {
  const listed = (...events: ListingEvent[]) => fold(listing, events);

  it('has the price of its stream', () => {
    expect(onSale(listed(created), at)).toEqual({
      listingId: 7,
      title: 'Night Ferry',
      price: 2_850,
      schedule,
      minimumAge: null,
    });
  });

  it('is undefined before it exists, once it is inactive or deleted, and after its start', () => {
    expect(onSale(listed(), at)).toBe('LISTING_NOT_FOUND');
    expect(onSale(listed(created, deactivated), at)).toBe('SALES_CLOSED');
    expect(onSale(listed(created, archived), at)).toBe('LISTING_ARCHIVED');
    expect(onSale(listed(created), '2026-12-04T19:30:00.000Z')).toBe('SALES_CLOSED');
    expect(onSale(listed(created), '2026-12-04T19:29:59.999Z')).toMatchObject({ price: 2_850 });
  });
});

describe('a description’s plain text', () => {
  it('leaves out markup and decodes entities', () => {
    expect(plainText('<h2>Late</h2><p>Salt &amp; <b>smoke</b>,<br>&#163;5 &#x2013; &lt;3&nbsp;</p>')).toBe(
      'Late Salt & smoke, £5 – <3',
    );
  });
});

describe('a listing’s day', () => {
  const day = (date: string, startsAt: string) => ({ date, zone: 'Europe/London', startsAt });
  it.each([
    ['an afternoon at midnight', day('2026-12-04', '2026-12-04T14:00:00.000Z'), '2026-12-05T00:00:00.000Z'],
    ['a night in the morning', day('2026-12-31', '2026-12-31T23:30:00.000Z'), '2027-01-01T05:30:00.000Z'],
    ['a night in summer', day('2026-07-04', '2026-07-04T21:00:00.000Z'), '2026-07-05T03:00:00.000Z'],
  ])('ends for %s', (_, schedule, end) => {
    expect(isOver(schedule, new Date(end))).toBe(true);
    expect(isOver(schedule, new Date(Date.parse(end) - 1))).toBe(false);
  });
});
