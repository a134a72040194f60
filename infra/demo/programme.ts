import * as z from 'zod/mini';
import data from './programme.json' with { type: 'json' };

const schema = z.object({
  settings: z.record(z.enum(['site_tagline', 'contact_email', 'contact_phone']), z.string()),
  categories: z.record(z.string(), z.string()),
  cities: z.array(z.object({ name: z.string(), state: z.string() })),
  venues: z.array(
    z.object({ key: z.string(), city: z.string(), name: z.string(), address: z.string(), capacity: z.int() }),
  ),
  promotions: z.array(
    z.object({
      code: z.string(),
      name: z.string(),
      discountType: z.enum(['percentage', 'fixed']),
      /** Percent or pence. */
      discountValue: z.int(),
      usageLimit: z.nullable(z.int()),
      days: z.int(),
    }),
  ),
  listings: z.array(
    z.object({
      title: z.string(),
      category: z.enum(['concerts', 'dining', 'nightlife', 'culture']),
      venue: z.string(),
      inDays: z.int(),
      time: z.string(),
      price: z.int(),
      capacity: z.int(),
      featured: z._default(z.boolean(), false),
      sold: z.optional(z.int()),
      tags: z.array(z.string()),
      about: z.array(z.string()),
    }),
  ),
});

const parsed = schema.parse(data);
export const { settings, categories, promotions } = parsed;

const numbered = <Item>(items: readonly Item[]) => items.map((item, index) => ({ ...item, id: index + 1 }));
const named = <Item>(items: readonly Item[], name: string, nameOf: (item: Item) => string): Item => {
  const found = items.find((item) => nameOf(item) === name);
  if (!found) throw new Error(`the demo's programme has no ${name}`);
  return found;
};

export const cities = numbered(parsed.cities);
export const venues = numbered(parsed.venues).map((venue) => ({
  ...venue,
  cityId: named(cities, venue.city, ({ name }) => name).id,
}));
export const listings = numbered(parsed.listings).map((listing) => ({
  ...listing,
  venue: named(venues, listing.venue, ({ key }) => key),
}));
export type DemoListing = (typeof listings)[number];
