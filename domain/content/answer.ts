import type { AdminImage } from '#domain/contracts/admin-images.ts';
import { absolute, pictureOf } from '#domain/listing/picture.ts';
import type { ImageFacts } from './events.ts';

/** The answer about an image of the gallery. @param at when it was uploaded, an ISO instant */
export const toAdminImage = (
  { imageId, use, ...facts }: ImageFacts,
  at: string,
  baseUrl: string,
): AdminImage => {
  const secureUrl = absolute(facts.path, baseUrl) ?? facts.path;
  return {
    id: imageId,
    ...facts,
    type: use,
    secureUrl,
    thumbnailUrl: pictureOf(facts.path, baseUrl)?.sizes[0]?.url ?? secureUrl,
    createdAt: at,
  };
};
