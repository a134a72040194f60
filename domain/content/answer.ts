import type { AdminEmailTemplate } from '#domain/contracts/admin-email-templates.ts';
import type { AdminImage } from '#domain/contracts/admin-images.ts';
import { absolute, pictureOf } from '#domain/listing/picture.ts';
import type { EmailTemplateFacts, ImageFacts } from './events.ts';
import { defaultKind, variablesOf } from './site-mails.ts';

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

/** The answer about an e-mail template. @param at when a superuser last saved it, an ISO instant; null if none did */
export const toAdminEmailTemplate = (
  { templateId, ...facts }: EmailTemplateFacts,
  at: string | null,
): AdminEmailTemplate => ({
  id: templateId,
  ...facts,
  variables: [...variablesOf(facts.kind)],
  isCustom: at !== null,
  isDefault: defaultKind(templateId) !== undefined,
  updatedAt: at,
});
