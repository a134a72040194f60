import { addListing, setFeatured } from '#command-api/catalogue/listings.ts';
import { changeSetting } from '#command-api/catalogue/settings.ts';
import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import { category } from '#domain/content/category.ts';
import { defaultCategories } from '#domain/contracts/catalogue.ts';
import { city } from '#domain/place/city.ts';
import { venue } from '#domain/place/venue.ts';
import { promoCode } from '#domain/promotion/promo-code.ts';
import { promotion } from '#domain/promotion/promotion.ts';
import { imageFolder } from '#infra/images/image-store.ts';
import { Turns } from '#infra/lib/turns.ts';
import { actingAt, type DemoDeps } from './demo-deps.ts';
import { drawPosters } from './draw-posters.ts';
import { categories, cities, type DemoListing, listings, promotions, settings, venues } from './programme.ts';

const DAY = 86_400_000;
export const dayAfter = (from: Date, days: number): string =>
  new Date(from.getTime() + days * DAY).toISOString().slice(0, 10);

export const seedPlaces = async (deps: DemoDeps, today: Date): Promise<void> => {
  const acting = actingAt(deps);
  for (const [index, { slug, name, emoji }] of defaultCategories.entries()) {
    const command = {
      type: 'AddCategory',
      categoryId: index + 1,
      slug,
      name,
      emoji,
      description: categories[slug] ?? '',
    } as const;
    await acting.do(category, slug, command);
  }
  for (const { id: cityId, name, state } of cities) {
    const details = { name, state, country: 'United Kingdom', zone: 'Europe/London' };
    await acting.do(city, cityId, { type: 'AddCity', cityId, ...details });
  }
  for (const { id: venueId, name, address, capacity, cityId } of venues)
    await acting.do(venue, venueId, { type: 'AddVenue', venueId, name, address, capacity, cityId });
  for (const [key, value] of Object.entries(settings))
    await changeSetting({ key, value, description: '', category: 'general' }, acting);
  await seedPromotions(acting, today);
};

const seedPromotions = async (acting: ActingHandler, today: Date): Promise<void> => {
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
        isActive: true,
        validFrom: new Date(today.getTime() - 50 * DAY).toISOString(),
        validUntil: new Date(today.getTime() + days * DAY).toISOString(),
      },
    } as const;
    await acting.do(promotion, promotionId, command);
  }
};

const drawAll = async ({ config, over }: DemoDeps, today: Date): Promise<readonly string[]> => {
  if (!config.demoPosters) return [];
  const posters = listings.map(({ id, category, title, venue, inDays }) => ({
    ...{ id, category, title, date: dayAfter(today, inDays), venue: venue.name, city: venue.city },
  }));
  return drawPosters({ folder: imageFolder(config.dataDir), posters }, over);
};

const AT_ONCE = 12;

export const seedListings = async (deps: DemoDeps, today: Date): Promise<void> => {
  const posters = await drawAll(deps, today);
  const add = async ({ id, about, venue, inDays, sold: _, ...details }: DemoListing): Promise<void> => {
    if (deps.over.aborted) return;
    const acting = actingAt(deps);
    await addListing(
      id,
      {
        ...details,
        description: about.map((paragraph) => `<p>${paragraph}</p>`).join(''),
        location: venue.address,
        cityId: venue.cityId,
        venueId: venue.id,
        date: dayAfter(today, inDays),
        imageUrl: posters[id - 1] ?? null,
        minimumAge: details.tags.includes('18+') ? 18 : null,
      },
      acting,
    );
    if (details.featured && inDays >= 0) await setFeatured(id, true, acting);
  };
  const turns = new Turns(AT_ONCE);
  await Promise.all(listings.map((listing) => turns.take(() => add(listing))));
};
