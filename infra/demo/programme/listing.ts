import type { VenueKey } from '#infra/demo/places.ts';

/** A listing of the demo. */
export interface DemoListing {
  readonly title: string;
  readonly category: 'concerts' | 'dining' | 'nightlife' | 'culture';
  readonly venue: VenueKey;
  /** On which day it takes place: so many days after the first start, or before it if negative. */
  readonly inDays: number;
  /** `HH:mm` at the venue. */
  readonly time: string;
  /** In pence. */
  readonly price: number;
  readonly capacity: number;
  readonly featured?: boolean;
  /** How many tickets are sold at the start. Default: some at random. */
  readonly sold?: number;
  readonly tags: readonly string[];
  /** Paragraphs. */
  readonly about: readonly string[];
}

/** Makes the function that writes the listings of a category. `tags` are separated by commas, the paragraphs of `about` by line breaks. */
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
