import { addListing, setFeatured } from '#command-api/catalogue/listings.ts';
import { changeSetting } from '#command-api/catalogue/settings.ts';
import type { ActingLane } from '#command-api/lane/lane.ts';
import { category } from '#domain/content/category.ts';
import { defaultCategories } from '#domain/contracts/catalogue.ts';
import { city } from '#domain/place/city.ts';
import { venue } from '#domain/place/venue.ts';
import { promoCode } from '#domain/promotion/promo-code.ts';
import { promotion } from '#domain/promotion/promotion.ts';
import { imageFolder } from '#infra/images/image-store.ts';
import { Turns } from '#infra/lib/turns.ts';
import { actingAt, type DemoDeps } from './demo-deps.ts';
import { cities, venues } from './places.ts';
import { drawApart } from './posters/apart.ts';
import { type ProgrammedListing, programme } from './programme/programme.ts';

const CATEGORY_WORDS: Readonly<Record<string, string>> = {
  concerts: 'Live music of every size, from a harmonium to a full orchestra.',
  dining: 'Long tables, short menus and markets after hours.',
  nightlife: 'Dance floors, back rooms and the last bus home.',
  culture: 'Stages, galleries and afternoons with your hands full.',
};

const DAY = 86_400_000;
const venueKeys = Object.keys(venues);
const cityIdOf = (name: string): number => cities.findIndex((one) => one.name === name) + 1;

/** The date so many days after `from`, as `YYYY-MM-DD`. */
export const dayAfter = (from: Date, days: number): string =>
  new Date(from.getTime() + days * DAY).toISOString().slice(0, 10);

const html = (listing: ProgrammedListing): string =>
  listing.about.map((paragraph) => `<p>${paragraph}</p>`).join('');

/** Adds cities, venues, categories, settings and promotions. A repeat changes nothing. */
export const seedPlaces = async (deps: DemoDeps, today: Date): Promise<void> => {
  const acting = actingAt(deps);
  for (const [index, { slug, name, emoji }] of defaultCategories.entries()) {
    const command = {
      type: 'AddCategory',
      categoryId: index + 1,
      slug,
      name,
      emoji,
      description: CATEGORY_WORDS[slug] ?? '',
    } as const;
    await acting.do(category, slug, command);
  }
  for (const [index, { name, state }] of cities.entries()) {
    const cityId = index + 1;
    const details = { name, state, country: 'United Kingdom', zone: 'Europe/London' };
    await acting.do(city, cityId, { type: 'AddCity', cityId, ...details });
  }
  for (const [index, key] of venueKeys.entries()) {
    const { name, address, capacity, city: at } = venues[key as keyof typeof venues];
    const command = {
      type: 'AddVenue',
      venueId: index + 1,
      name,
      address,
      capacity,
      cityId: cityIdOf(at),
    } as const;
    await acting.do(venue, index + 1, command);
  }
  const settings = {
    site_tagline: 'Tonight, and every night after it',
    contact_email: 'hello@reprise.test',
    contact_phone: '020 7946 0000',
  };
  for (const [key, value] of Object.entries(settings)) {
    await changeSetting({ key, value, description: '', category: 'general' }, acting);
  }
  await seedPromotions(acting, today);
};

const promotions = [
  {
    code: 'ENCORE10',
    name: 'Ten per cent again',
    discountType: 'percentage',
    discountValue: 10,
    usageLimit: null,
    days: 120,
    isActive: true,
  },
  {
    code: 'FIRSTNIGHT',
    name: 'Five pounds off your first night',
    discountType: 'fixed',
    discountValue: 500,
    usageLimit: 200,
    days: 90,
    isActive: true,
  },
  {
    code: 'GUESTLIST',
    name: 'Guest list',
    discountType: 'percentage',
    discountValue: 100,
    usageLimit: 25,
    days: 60,
    isActive: true,
  },
  {
    code: 'SUMMER26',
    name: 'Last summer’s offer',
    discountType: 'percentage',
    discountValue: 20,
    usageLimit: 100,
    days: -20,
    isActive: true,
  },
] as const;

const seedPromotions = async (acting: ActingLane, today: Date): Promise<void> => {
  for (const [index, { code, days, ...terms }] of promotions.entries()) {
    const promotionId = index + 1;
    await acting.do(promoCode, code, { type: 'TakeCode', promotionId });
    const command = {
      type: 'CreatePromotion',
      promotionId,
      code,
      terms: {
        ...terms,
        description: terms.name,
        validFrom: new Date(today.getTime() - 50 * DAY).toISOString(),
        validUntil: new Date(today.getTime() + days * DAY).toISOString(),
      },
    } as const;
    await acting.do(promotion, promotionId, command);
  }
};

/** Draws the posters of all listings, unless the demo is plain. Resolves to their paths, in the programme's order. */
const drawPosters = async ({ config, over }: DemoDeps, today: Date): Promise<readonly string[]> => {
  if (!config.demoPosters) return [];
  const posters = programme.map(({ id, category, title, venue: key, inDays }) => {
    const { name, city: at } = venues[key];
    return { id, category, title, place: `${name}, ${at}`, date: dayAfter(today, inDays) };
  });
  return drawApart({ folder: imageFolder(config.dataDir), posters }, over);
};

/** How many listings are added at the same time. */
const AT_ONCE = 12;

/** Adds all listings with their posters and tickets. A repeat changes nothing. */
export const seedListings = async (deps: DemoDeps, today: Date): Promise<void> => {
  const posters = await drawPosters(deps, today);
  const one = async (listing: ProgrammedListing, poster: string | undefined): Promise<void> => {
    if (deps.over.aborted) return;
    const place = venues[listing.venue];
    const date = dayAfter(today, listing.inDays);
    const acting = actingAt(deps);
    await addListing(
      listing.id,
      {
        title: listing.title,
        description: html(listing),
        category: listing.category,
        location: place.address,
        cityId: cityIdOf(place.city),
        venueId: venueKeys.indexOf(listing.venue) + 1,
        date,
        time: listing.time,
        price: listing.price,
        capacity: listing.capacity,
        featured: listing.featured ?? false,
        imageUrl: poster ?? null,
        tags: [...listing.tags],
        minimumAge: listing.tags.includes('18+') ? 18 : null,
      },
      acting,
    );
    if (listing.featured && listing.inDays >= 0) await setFeatured(listing.id, true, acting);
  };
  const turns = new Turns(AT_ONCE);
  await Promise.all(programme.map((listing, index) => turns.take(() => one(listing, posters[index]))));
};
