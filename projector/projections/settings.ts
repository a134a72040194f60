import { type SiteConfigEvent, siteConfigEvents } from '#domain/content/events.ts';
import { typesOf } from '#domain/kernel/event.ts';
import { settingTable } from '#infra/read-models/tables.ts';
import type { DeclaredProjection, Projected } from '#projector/engine/projection.ts';

const settingRows: Projected<typeof settingTable, SiteConfigEvent> = {
  table: settingTable,
  types: typesOf(siteConfigEvents),
  keys: ({ event }) => [event.data.key],
  fold: (_row, { event, meta }) =>
    event.type === 'SettingReset' ? undefined : { ...event.data, updated_at: meta.at },
};

export const settings: DeclaredProjection = { name: 'settings', fold: 1, tables: [settingRows] };
