import { describe, it } from 'vitest';
import { given } from '#tests/kit/given-when-then.ts';
import { city } from './city.ts';
import type { CityEvent, VenueEvent } from './events.ts';
import type { Use } from './state.ts';
import { venue } from './venue.ts';

const leeds = { name: 'Leeds', state: 'West Yorkshire', country: 'United Kingdom', zone: 'Europe/London' };
const cityAdded: CityEvent = { type: 'CityAdded', data: { cityId: 1, ...leeds } };
const cityArchived: CityEvent = { type: 'CityArchived', data: { cityId: 1 } };
const hall = { name: 'City Varieties', address: 'Swan Street', cityId: 1, capacity: 467 };
const venueAdded: VenueEvent = { type: 'VenueAdded', data: { venueId: 2, ...hall } };
const venueArchived: VenueEvent = { type: 'VenueArchived', data: { venueId: 2 } };
const usedBy: Use[] = [{ kind: 'event', id: 7, name: 'Night Ferry' }];

describe('a city', () => {
  it('is added once, and only in a zone that exists', () => {
    given(city, [])
      .when({ type: 'AddCity', cityId: 1, ...leeds })
      .then([cityAdded]);
    given(city, [cityAdded])
      .when({ type: 'AddCity', cityId: 1, ...leeds })
      .thenNothing();
    given(city, [])
      .when({ type: 'AddCity', cityId: 1, ...leeds, zone: 'Leeds' })
      .thenRejected('BAD_INPUT');
  });

  it('is edited if something differs', () => {
    given(city, [cityAdded])
      .when({ type: 'EditCity', ...leeds })
      .thenNothing();
    given(city, [cityAdded])
      .when({ type: 'EditCity', ...leeds, name: 'Loidis' })
      .then([{ type: 'CityEdited', data: { cityId: 1, ...leeds, name: 'Loidis' } }]);
    given(city, [cityAdded])
      .when({ type: 'EditCity', ...leeds, zone: 'Leeds' })
      .thenRejected('BAD_INPUT');
  });

  it('is archived if nothing uses it, and a refusal names the uses', () => {
    given(city, [cityAdded])
      .when({ type: 'ArchiveCity', usedBy })
      .then({ rejected: 'IN_USE', details: { usedBy } });
    given(city, [cityAdded]).when({ type: 'ArchiveCity', usedBy: [] }).then([cityArchived]);
    given(city, [cityAdded, cityArchived]).when({ type: 'ArchiveCity', usedBy: [] }).thenNothing();
    given(city, [cityAdded, cityArchived])
      .when({ type: 'EditCity', ...leeds, name: 'x' })
      .thenRejected('NOT_FOUND');
    given(city, []).when({ type: 'ArchiveCity', usedBy: [] }).thenRejected('NOT_FOUND');
  });

  it('is restored if something began to use it while it was archived', () => {
    const renamed: CityEvent = { type: 'CityEdited', data: { cityId: 1, ...leeds, name: 'Loidis' } };
    given(city, [cityAdded, renamed, cityArchived])
      .when({ type: 'RestoreCity' })
      .then([{ type: 'CityAdded', data: { cityId: 1, ...leeds, name: 'Loidis' } }]);
    given(city, [cityAdded, cityArchived, cityAdded])
      .when({ type: 'ArchiveCity', usedBy: [] })
      .then([cityArchived]);
    given(city, [cityAdded]).when({ type: 'RestoreCity' }).thenNothing();
    given(city, []).when({ type: 'RestoreCity' }).thenRejected('NOT_FOUND');
  });
});

describe('a venue', () => {
  it('is added once, and edited if something differs', () => {
    given(venue, [])
      .when({ type: 'AddVenue', venueId: 2, ...hall })
      .then([venueAdded]);
    given(venue, [venueAdded])
      .when({ type: 'AddVenue', venueId: 2, ...hall })
      .thenNothing();
    given(venue, [venueAdded])
      .when({ type: 'EditVenue', usedBy, ...hall })
      .thenNothing();
    given(venue, [venueAdded])
      .when({ type: 'EditVenue', usedBy, ...hall, capacity: 500 })
      .then([{ type: 'VenueEdited', data: { venueId: 2, ...hall, capacity: 500 } }]);
  });

  it('can change its city only while nothing uses it', () => {
    const moved = { ...hall, cityId: 3 };
    given(venue, [venueAdded])
      .when({ type: 'EditVenue', usedBy, ...moved })
      .thenRejected('IN_USE');
    given(venue, [venueAdded])
      .when({ type: 'EditVenue', usedBy: [], ...moved })
      .then([{ type: 'VenueEdited', data: { venueId: 2, ...moved } }]);
  });

  it('is archived if nothing uses it, and a refusal names the uses', () => {
    given(venue, [venueAdded])
      .when({ type: 'ArchiveVenue', usedBy })
      .then({ rejected: 'IN_USE', details: { usedBy } });
    given(venue, [venueAdded]).when({ type: 'ArchiveVenue', usedBy: [] }).then([venueArchived]);
    given(venue, [venueAdded, venueArchived]).when({ type: 'ArchiveVenue', usedBy: [] }).thenNothing();
    given(venue, [venueAdded, venueArchived])
      .when({ type: 'EditVenue', usedBy: [], ...hall })
      .thenRejected('NOT_FOUND');
    given(venue, [])
      .when({ type: 'EditVenue', usedBy: [], ...hall })
      .thenRejected('NOT_FOUND');
  });

  it('is restored if something began to use it while it was archived', () => {
    given(venue, [venueAdded, venueArchived])
      .when({ type: 'RestoreVenue', cityId: hall.cityId })
      .then([venueAdded]);
    given(venue, [venueAdded, venueArchived, venueAdded])
      .when({ type: 'ArchiveVenue', usedBy: [] })
      .then([venueArchived]);
    given(venue, [venueAdded]).when({ type: 'RestoreVenue', cityId: hall.cityId }).thenNothing();
    given(venue, [{ ...venueAdded, data: { ...venueAdded.data, cityId: 8 } }])
      .when({ type: 'RestoreVenue', cityId: hall.cityId })
      .then([{ type: 'VenueEdited', data: venueAdded.data }]);
  });
});
