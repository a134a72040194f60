import type { VenueKey } from '#infra/demo/places.ts';

/** What the demo says of a listing. */
export interface DemoListing {
  readonly title: string;
  readonly category: 'concerts' | 'dining' | 'nightlife' | 'culture';
  readonly venue: VenueKey;
  /** Days after the day of the first start; a negative number is past. */
  readonly inDays: number;
  /** `HH:mm` at the venue. */
  readonly time: string;
  /** In pence. */
  readonly price: number;
  readonly capacity: number;
  readonly featured?: boolean;
  /** How many of the tickets are sold to start with; all of them is sold out. */
  readonly sold?: number;
  readonly tags: readonly string[];
  /** Paragraphs. */
  readonly about: readonly string[];
}

/** Writes a category's listings in few lines: `tags` with commas between them, `about` with a line a paragraph. */
export const listed =
  (category: DemoListing['category']) =>
  (
    title: string,
    venue: VenueKey,
    inDays: number,
    time: string,
    price: number,
    capacity: number,
    tags: string,
    about: string,
    more: Pick<DemoListing, 'featured' | 'sold'> = {},
  ): DemoListing => ({
    title,
    category,
    venue,
    inDays,
    time,
    price,
    capacity,
    tags: tags.split(', '),
    about: about.split('\n'),
    ...more,
  });
