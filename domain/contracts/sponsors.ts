import * as z from 'zod/mini';
import { call } from './call.ts';
import { picture } from './catalogue.ts';
import { crudCalls } from './crud.ts';
import { imageUrl, oneLine, since, text, webAddress } from './fields.ts';

/** How many sponsors the footer shows. */
export const MOST_SPONSORS = 24;

const badOrder = 'Must be a whole number from 0 to 9,999';

/** `POST /api/admin/sponsors` */
export const sponsorRequest = z.strictObject({
  name: text(80, 'Name is required').check(oneLine()),
  /** Parsed into the form that browsers give it: with `//`, and without line breaks. */
  link: z.pipe(
    webAddress('Link is required', 'Must be an address that begins with https:// or http://'),
    z.transform((value: string) => new URL(value).href),
  ),
  /** The address of a stored image. */
  logo: imageUrl().check(z.minLength(1, 'Logo is required')),
  /** The lowest comes first. */
  order: z.int(badOrder).check(z.minimum(0, badOrder), z.maximum(9_999, badOrder)),
});
/** `PUT /api/admin/sponsors/{id}` */
export const editSponsorRequest = z.extend(sponsorRequest, since());

/** An item of `GET /api/admin/sponsors`. */
export const adminSponsor = z.object({
  id: z.string(),
  name: z.string(),
  link: z.string(),
  /** Absolute. */
  logo: z.string(),
  order: z.int(),
  revision: z.string(),
});
export type AdminSponsor = z.infer<typeof adminSponsor>;

export const sponsorCalls = {
  /** The sponsors in the site's footer, in their order. */
  list: call('GET /api/sponsors', {
    answer: z.array(z.object({ id: z.string(), name: z.string(), link: z.string(), logo: picture })),
    capability: 'browse',
    session: 'ignored',
  }),
};

/** The calls of `/api/admin/sponsors`. The list is in the footer's order unless the query says otherwise, and searches name and link. */
export const adminSponsorCalls = {
  ...crudCalls('/api/admin/sponsors', {
    request: sponsorRequest,
    item: adminSponsor,
    sorts: ['order', 'name', 'link'],
  }),
};
