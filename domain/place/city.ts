import { type Aggregate, badInput, reject } from '#domain/kernel/decider.ts';
import { isZone } from './city-zone.ts';
import type { CityDetails, CityEvent } from './events.ts';
import { type CityState, evolveCity, noCity, type Use } from './state.ts';

export type CityCommand =
  | ({ readonly type: 'AddCity'; readonly cityId: number } & CityDetails)
  | ({ readonly type: 'EditCity' } & CityDetails)
  | { readonly type: 'ArchiveCity'; readonly usedBy: readonly Use[] }
  | { readonly type: 'RestoreCity' };

const badZone = () => badInput({ zone: 'Not a time zone' });

/** Refuses with BAD_INPUT (an unknown zone), NOT_FOUND, IN_USE. */
export const city: Aggregate<CityState, CityCommand, CityEvent> = {
  name: 'city',
  shown: ({ details }) => ({ ...details }),
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
    if (command.type === 'RestoreCity')
      return state.archived ? [{ type: 'CityAdded', data: { cityId, ...details } }] : [];
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
