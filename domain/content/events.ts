import { type EventOf, plain } from '#domain/personal.ts';

/** The events of `category-{slug}`. */
export const categoryEvents = {
  CategoryAdded: plain<{
    categoryId: number;
    slug: string;
    name: string;
    emoji: string;
    description: string;
  }>(),
  CategoryEdited: plain<{
    categoryId: number;
    slug: string;
    name: string;
    emoji: string;
    description: string;
  }>(),
  CategoryArchived: plain<{ categoryId: number; slug: string }>(),
};
export type CategoryEvent = EventOf<typeof categoryEvents>;

/** The events of `site-config`. */
export const siteConfigEvents = {
  SettingChanged: plain<{ key: string; value: string; description: string; category: string }>(),
};
export type SiteConfigEvent = EventOf<typeof siteConfigEvents>;
