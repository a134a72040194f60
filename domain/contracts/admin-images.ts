import * as z from 'zod/mini';
import { IMAGE_TYPES } from '#domain/content/events.ts';
import { call } from './call.ts';
import { listQuery, said } from './envelope.ts';
import { idParams, imageUrl } from './fields.ts';

export const adminImage = z.object({
  id: z.int(),
  originalName: z.string(),
  type: z.enum(IMAGE_TYPES),
  format: z.string(),
  secureUrl: z.string(),
  path: z.string(),
  thumbnailUrl: z.string(),
  bytes: z.int(),
  width: z.int(),
  height: z.int(),
  createdAt: z.string(),
});
export type AdminImage = z.infer<typeof adminImage>;

export const uploadFields = z.object({ type: z._default(z.optional(z.enum(IMAGE_TYPES)), 'general') });

/** Takes precedence over the id in the path. */
export const setImageRequest = z.nullish(z.strictObject({ imageUrl: z.optional(imageUrl()) }));

const chosen = {
  params: idParams(),
  body: setImageRequest,
  answer: said(),
  capability: 'administer',
  limit: 'administration',
} as const;

export const adminImageCalls = {
  list: call('GET /api/admin/images', {
    query: listQuery(['name', 'size', 'date'], { type: z.optional(z.enum(IMAGE_TYPES)) }),
    answer: z.array(adminImage),
    capability: 'administer',
  }),
  /** A JPEG, PNG or WebP of at most 10 MB in `image`, and `uploadFields`. Other files: 422 `UNUSABLE_FILE`. */
  upload: call('POST /api/admin/images', {
    upload: true,
    answer: adminImage,
    status: [201],
    capability: 'administer',
    limit: 'upload',
  }),
  /** `IN_USE` (with the uses) while an event or a setting has the image. */
  remove: call('DELETE /api/admin/images/{id}', {
    params: idParams(),
    answer: said(),
    capability: 'administer',
    limit: 'administration',
  }),
  setLogo: call('PATCH /api/admin/images/{id}/set-logo', chosen),
  setHero: call('PATCH /api/admin/images/{id}/set-hero', chosen),
};
