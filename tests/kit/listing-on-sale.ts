import type { Lane } from '#command-api/lane/lane.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { listing } from '#domain/listing/listing.ts';
import type { Context } from '#infra/event-log/recorded.ts';
import { accepted } from '#infra/http/errors.ts';

/** What specs choose of a listing; the rest is a concert in one hall. `price` in pence. */
export interface OnSale {
  readonly listingId: number;
  readonly price: number;
  readonly capacity: number;
  /** Wall clock at the venue: `YYYY-MM-DD`, `HH:mm`, IANA zone. */
  readonly start: { readonly date: string; readonly time: string; readonly zone: string };
}

/** Puts a listing on sale with its tickets, by the aggregates' own commands. `newContext` is asked for each of them. */
export const putOnSale = async (
  lane: Pick<Lane, 'execute'>,
  { listingId, price, capacity, start }: OnSale,
  newContext: () => Context,
): Promise<void> => {
  const details = {
    title: 'The Long Night',
    description: '<p>Music until late.</p>',
    category: 'concerts',
    cityId: 1,
    venueId: 1,
    location: '1 High Street, London',
    price,
    imageUrl: null,
    tags: [],
  };
  const context = newContext();
  const create = {
    type: 'CreateListing',
    listingId,
    details,
    start,
    featured: false,
    at: context.at,
  } as const;
  accepted(await lane.execute(listing, listingId, create, context));
  const open = { type: 'OpenInventory', listingId, capacity } as const;
  accepted(await lane.execute(inventory, listingId, open, newContext()));
};
