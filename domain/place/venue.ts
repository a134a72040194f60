import { type Aggregate, reject } from '#domain/kernel/decider.ts';
import type { VenueDetails, VenueEvent } from './events.ts';
import { evolveVenue, noVenue, type Use, type VenueState } from './state.ts';

export type VenueCommand =
  | ({ readonly type: 'AddVenue'; readonly venueId: number } & VenueDetails)
  /** Events stay in the city and time zone they were made for. */
  | ({ readonly type: 'EditVenue'; readonly usedBy: readonly Use[] } & VenueDetails)
  | { readonly type: 'ArchiveVenue'; readonly usedBy: readonly Use[] }
  /** Reverses an archiving or a move that raced with a new use. */
  | { readonly type: 'RestoreVenue'; readonly cityId: number };

/** Refuses with NOT_FOUND, IN_USE. The caller checks that the city exists. */
export const venue: Aggregate<VenueState, VenueCommand, VenueEvent> = {
  name: 'venue',
  shown: ({ details }) => ({ ...details }),
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
    if (command.type === 'RestoreVenue') {
      const data = { venueId, ...details, cityId: command.cityId };
      if (state.archived) return [{ type: 'VenueAdded', data }];
      return data.cityId === details.cityId ? [] : [{ type: 'VenueEdited', data }];
    }
    if (state.archived) return reject('NOT_FOUND');
    const { name, address, cityId, capacity, usedBy } = command;
    if (cityId !== details.cityId && usedBy.length > 0) {
      const stays = 'A venue with events stays in its city';
      return reject('IN_USE', { usedBy, fields: { cityId: stays } });
    }
    const same =
      name === details.name &&
      address === details.address &&
      cityId === details.cityId &&
      capacity === details.capacity;
    return same ? [] : [{ type: 'VenueEdited', data: { venueId, name, address, cityId, capacity } }];
  },
};
