import * as z from 'zod/mini';
import { IMAGE_TYPES } from '#domain/content/events.ts';
import { call } from './call.ts';
import { listQuery, said } from './envelope.ts';
import { idParams, imageUrl } from './fields.ts';

/** An image of the gallery. */
export const adminImage = z.object({
  id: z.int(),
  originalName: z.string(),
  type: z.enum(IMAGE_TYPES),
  format: z.string(),
  /** Its absolute address. */
  secureUrl: z.string(),
  /** Its address on this site, which an event or a setting keeps. */
  path: z.string(),
  /** The address of a smaller size, for lists. */
  thumbnailUrl: z.string(),
  bytes: z.int(),
  width: z.int(),
  height: z.int(),
  createdAt: z.string(),
});
export type AdminImage = z.infer<typeof adminImage>;

/** What a form with an upload holds beside its file (`image`). */
export const uploadFields = z.object({ type: z._default(z.optional(z.enum(IMAGE_TYPES)), 'general') });

/** `PATCH /api/admin/images/{id}/set-logo` and `set-hero`. With an address the image is found by it, whatever the id. */
export const setImageRequest = z.nullish(z.strictObject({ imageUrl: z.optional(imageUrl()) }));

const chosen = {
  params: idParams(),
  body: setImageRequest,
  answer: said(),
  capability: 'administer',
  limit: 'administration',
} as const;

/** `/api/admin/images*` */
export const adminImageCalls = {
  /** The newest first where no order is asked for. The search looks at the file's name. */
  list: call('GET /api/admin/images', {
    query: listQuery(['name', 'size', 'date'], { type: z.optional(z.enum(IMAGE_TYPES)) }),
    answer: z.array(adminImage),
    capability: 'administer',
  }),
  /** A form with a JPEG, PNG or WebP of at most 10 MB in `image`, and `uploadFields`. Other files answer 422 `UNUSABLE_FILE`. */
  upload: call('POST /api/admin/images', {
    upload: true,
    answer: adminImage,
    status: [201],
    capability: 'administer',
    limit: 'upload',
  }),
  /** Refused with `IN_USE`, and what uses it, while an event or a setting names it. */
  remove: call('DELETE /api/admin/images/{id}', {
    params: idParams(),
    answer: said(),
    capability: 'administer',
    limit: 'administration',
  }),
  setLogo: call('PATCH /api/admin/images/{id}/set-logo', chosen),
  setHero: call('PATCH /api/admin/images/{id}/set-hero', chosen),
};
