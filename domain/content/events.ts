import { type EventOf, plain } from '#domain/personal.ts';

/** A category. */
export interface CategoryFacts {
  readonly categoryId: number;
  /** From `categorySlug(name)`. It stays the same when the name changes. */
  readonly slug: string;
  readonly name: string;
  readonly emoji: string;
  readonly description: string;
}

/** The events of `category-{slug}`. */
export const categoryEvents = {
  CategoryAdded: plain<CategoryFacts>(),
  CategoryEdited: plain<CategoryFacts>(),
  CategoryArchived: plain<{ categoryId: number; slug: string }>(),
};
export type CategoryEvent = EventOf<typeof categoryEvents>;

/** The events of `site-config`. */
export const siteConfigEvents = {
  SettingChanged: plain<{ key: string; value: string; description: string; category: string }>(),
  /** The setting has its default again. */
  SettingReset: plain<{ key: string }>(),
};
export type SiteConfigEvent = EventOf<typeof siteConfigEvents>;
