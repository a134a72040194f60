/** What the catalogue's listings refer to: cities, venues and categories; and the site's settings. */
import {
  type CategoryEvent,
  categoryEvents,
  type SiteConfigEvent,
  siteConfigEvents,
} from '#domain/content/events.ts';
import { typesOf } from '#domain/personal.ts';
import { type CityEvent, cityEvents, type VenueEvent, venueEvents } from '#domain/place/events.ts';
import { searchWords } from '#infra/read-models/search.ts';
import type { CategoryRow, CityRow, SettingRow, VenueRow } from '#infra/read-models/tables.ts';
import { expectRow, type Table } from '#projector/projection.ts';

export const cities: Table<CityRow, CityEvent> = {
  name: 'city',
  key: 'id',
  columns: {
    id: 'integer',
    name: 'text',
    state: 'text',
    country: 'text',
    zone: 'text',
    archived: 'boolean',
    words: 'text',
  },
  types: typesOf(cityEvents),
  keys: ({ event }) => [event.data.cityId],
  fold: (row, applied) => {
    const { event } = applied;
    if (event.type === 'CityArchived') return { ...expectRow(row, applied), archived: true };
    const { cityId, name, state, country, zone } = event.data;
    return { id: cityId, name, state, country, zone, archived: false, words: searchWords(name) };
  },
};

export const venues: Table<VenueRow, VenueEvent> = {
  name: 'venue',
  key: 'id',
  columns: {
    id: 'integer',
    name: 'text',
    address: 'text',
    city_id: 'integer',
    capacity: 'integer',
    archived: 'boolean',
    words: 'text',
  },
  indexes: ['(city_id)'],
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

export const categories: Table<CategoryRow, CategoryEvent> = {
  name: 'category',
  key: 'slug',
  columns: {
    id: 'integer',
    slug: 'text',
    name: 'text',
    emoji: 'text',
    description: 'text',
    archived: 'boolean',
    words: 'text',
  },
  types: typesOf(categoryEvents),
  keys: ({ event }) => [event.data.slug],
  fold: (row, applied) => {
    const { event } = applied;
    if (event.type === 'CategoryArchived') return { ...expectRow(row, applied), archived: true };
    const { categoryId, slug, name, emoji, description } = event.data;
    return {
      id: categoryId,
      slug,
      name,
      emoji,
      description,
      archived: false,
      words: searchWords(name, slug),
    };
  },
};

export const settings: Table<SettingRow, SiteConfigEvent> = {
  name: 'setting',
  key: 'key',
  columns: { key: 'text', value: 'text', description: 'text', category: 'text', updated_at: 'timestamptz' },
  types: typesOf(siteConfigEvents),
  blind: 'any',
  keys: ({ event }) => [event.data.key],
  fold: (_row, { event, meta }) => ({ ...event.data, updated_at: meta.at }),
};
