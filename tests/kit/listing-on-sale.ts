import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { extrasOf } from '#domain/listing/extras.ts';
import { listing } from '#domain/listing/listing.ts';

/** What specs choose of a listing; the rest is a concert in one hall. `price` in pence. */
export interface OnSale {
  readonly listingId: number;
  readonly price: number;
  readonly capacity: number;
  /** Wall clock at the venue: `YYYY-MM-DD`, `HH:mm`, IANA zone. */
  readonly minimumAge?: number;
  readonly start: { readonly date: string; readonly time: string; readonly zone: string };
}

/** Puts a listing on sale with its tickets, by the aggregates' own commands. */
export const putOnSale = async (
  { listingId, price, capacity, minimumAge, start }: OnSale,
  acting: ActingHandler,
): Promise<void> => {
  const details = {
    ...{ title: 'The Long Night', description: '<p>Music until late.</p>', category: 'concerts', price },
    ...{ cityId: 1, venueId: 1, location: '1 High Street, London', imageUrl: null, tags: [] },
    extras: extrasOf({ minimumAge }),
  };
  const { at } = acting.context;
  const create = { type: 'CreateListing', listingId, details, start, featured: false, at } as const;
  await acting.do(listing, listingId, create);
  await acting.do(inventory, listingId, { type: 'OpenInventory', listingId, capacity });
};
