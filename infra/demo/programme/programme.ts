import { concerts } from './concerts.ts';
import { culture } from './culture.ts';
import { dining } from './dining.ts';
import type { DemoListing } from './listing.ts';
import { nightlife } from './nightlife.ts';

/** A listing of the demo, with its id. */
export type ProgrammedListing = DemoListing & { readonly id: number };

/** All listings of the demo. A listing's id is its place in this list, from 1. */
export const programme: readonly ProgrammedListing[] = [...concerts, ...dining, ...nightlife, ...culture].map(
  (listing, index) => ({ ...listing, id: index + 1 }),
);
