import { type Aggregate, reject } from '#domain/decider.ts';
import { isZone } from '#domain/zone.ts';
import type { CityDetails, CityEvent, VenueDetails, VenueEvent } from './events.ts';
import { type CityState, evolveCity, evolveVenue, noCity, noVenue, type VenueState } from './state.ts';

/** What still uses a place or a category, as the answer 409 `IN_USE` shows it. Read from a read model (the one exception: nothing else that decides does). */
export interface Use {
  readonly kind: 'event' | 'venue';
  readonly id: number;
  readonly name: string;
}

export type CityCommand =
  | ({ readonly type: 'AddCity'; readonly cityId: number } & CityDetails)
  | ({ readonly type: 'EditCity' } & CityDetails)
  | { readonly type: 'ArchiveCity'; readonly usedBy: readonly Use[] };

export type VenueCommand =
  | ({ readonly type: 'AddVenue'; readonly venueId: number } & VenueDetails)
  | ({ readonly type: 'EditVenue' } & VenueDetails)
  | { readonly type: 'ArchiveVenue'; readonly usedBy: readonly Use[] };

const badZone = () =>
  reject('BAD_INPUT', { fields: { zone: 'Not a time zone' }, errors: ['Not a time zone'] });

/** Refuses with BAD_INPUT (an unknown zone), NOT_FOUND, IN_USE. Lives in `city-{cityId}`. */
export const city: Aggregate<CityState, CityCommand, CityEvent> = {
  name: 'city',
  initial: noCity,
  evolve: evolveCity,
  decide: (state, command) => {
    if (command.type === 'AddCity') {
      if (state.cityId !== null) return [];
      if (!isZone(command.zone)) return badZone();
      const { type: _, ...data } = command;
      return [{ type: 'CityAdded', data }];
    }
    const { cityId, details } = state;
    if (cityId === null || !details) return reject('NOT_FOUND');
    if (command.type === 'ArchiveCity') {
      if (state.archived) return [];
      return command.usedBy.length > 0
        ? reject('IN_USE', { usedBy: command.usedBy })
        : [{ type: 'CityArchived', data: { cityId } }];
    }
    if (state.archived) return reject('NOT_FOUND');
    if (!isZone(command.zone)) return badZone();
    const { name, state: county, country, zone } = command;
    const same =
      name === details.name &&
      county === details.state &&
      country === details.country &&
      zone === details.zone;
    return same ? [] : [{ type: 'CityEdited', data: { cityId, name, state: county, country, zone } }];
  },
};

/** Refuses with NOT_FOUND, IN_USE. That its city exists is asked before. Lives in `venue-{venueId}`. */
export const venue: Aggregate<VenueState, VenueCommand, VenueEvent> = {
  name: 'venue',
  initial: noVenue,
  evolve: evolveVenue,
  decide: (state, command) => {
    if (command.type === 'AddVenue') {
      if (state.venueId !== null) return [];
      const { type: _, ...data } = command;
      return [{ type: 'VenueAdded', data }];
    }
    const { venueId, details } = state;
    if (venueId === null || !details) return reject('NOT_FOUND');
    if (command.type === 'ArchiveVenue') {
      if (state.archived) return [];
      return command.usedBy.length > 0
        ? reject('IN_USE', { usedBy: command.usedBy })
        : [{ type: 'VenueArchived', data: { venueId } }];
    }
    if (state.archived) return reject('NOT_FOUND');
    const { name, address, cityId, capacity } = command;
    const same =
      name === details.name &&
      address === details.address &&
      cityId === details.cityId &&
      capacity === details.capacity;
    return same ? [] : [{ type: 'VenueEdited', data: { venueId, name, address, cityId, capacity } }];
  },
};
