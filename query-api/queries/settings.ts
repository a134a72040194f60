import type { Kysely } from 'kysely';
import { siteDefaults } from '#domain/content/site-defaults.ts';
import { type SiteConfigEntry, type SiteSettings, siteSettings } from '#domain/contracts/site.ts';
import type { ReadModels } from '#infra/read-models/tables.ts';

export const siteEntries = async (db: Kysely<ReadModels>): Promise<SiteConfigEntry[]> => {
  const rows = await db.selectFrom('setting').select(['key', 'value']).execute();
  const entries = new Map<string, string>(Object.entries(siteDefaults));
  for (const { key, value } of rows) if (entries.has(key) && value.trim() !== '') entries.set(key, value);
  return [...entries].map(([key, value]) => ({ key, value })).sort((a, b) => (a.key < b.key ? -1 : 1));
};

export const loadSettings = async (db: Kysely<ReadModels>): Promise<SiteSettings> =>
  siteSettings(await siteEntries(db));
