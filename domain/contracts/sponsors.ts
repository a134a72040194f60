import * as z from 'zod/mini';
import { call } from './call.ts';
import { picture } from './catalogue.ts';
import { crudCalls } from './crud.ts';
import { imageUrl, oneLine, since, text, webAddress } from './fields.ts';

export const MOST_SPONSORS = 24;

const badOrder = 'Must be a whole number from 0 to 9,999';

export const sponsorRequest = z.strictObject({
  name: text(80, 'Name is required').check(oneLine()),
  /** Normalised as browsers do: with `//`, without line breaks. */
  link: z.pipe(
    webAddress('Link is required', 'Must be an address that begins with https:// or http://'),
    z.transform((value: string) => new URL(value).href),
  ),
  logo: imageUrl().check(z.minLength(1, 'Logo is required')),
  order: z.int(badOrder).check(z.minimum(0, badOrder), z.maximum(9_999, badOrder)),
});
export const editSponsorRequest = z.extend(sponsorRequest, since());

export const adminSponsor = z.object({
  id: z.string(),
  name: z.string(),
  link: z.string(),
  logo: z.string(),
  order: z.int(),
  revision: z.string(),
});
export type AdminSponsor = z.infer<typeof adminSponsor>;

export const sponsorCalls = {
  list: call('GET /api/sponsors', {
    answer: z.array(z.object({ id: z.string(), name: z.string(), link: z.string(), logo: picture })),
    capability: 'browse',
    session: 'ignored',
  }),
};

export const adminSponsorCalls = {
  ...crudCalls('/api/admin/sponsors', {
    request: sponsorRequest,
    item: adminSponsor,
    sorts: ['order', 'name', 'link'],
  }),
};
