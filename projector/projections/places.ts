import { typesOf } from '#domain/kernel/event.ts';
import { type CityEvent, cityEvents, type VenueEvent, venueEvents } from '#domain/place/events.ts';
import { searchWords } from '#infra/read-models/search.ts';
import { cityTable, venueTable } from '#infra/read-models/tables.ts';
import { expectRow, type Projected } from '#projector/engine/projection.ts';

export const cities: Projected<typeof cityTable, CityEvent> = {
  table: cityTable,
  types: typesOf(cityEvents),
  keys: ({ event }) => [event.data.cityId],
  fold: (row, applied) => {
    const { event } = applied;
    if (event.type === 'CityArchived') return { ...expectRow(row, applied), archived: true };
    const { cityId, name, state, country, zone } = event.data;
    return { id: cityId, name, state, country, zone, archived: false, words: searchWords(name) };
  },
};

export const venues: Projected<typeof venueTable, VenueEvent> = {
  table: venueTable,
  types: typesOf(venueEvents),
  keys: ({ event }) => [event.data.venueId],
  fold: (row, applied) => {
    const { event } = applied;
    if (event.type === 'VenueArchived') return { ...expectRow(row, applied), archived: true };
    const { venueId, name, address, cityId, capacity } = event.data;
    return {
      id: venueId,
      name,
      address,
      city_id: cityId,
      capacity,
      archived: false,
      words: searchWords(name),
    };
  },
};
