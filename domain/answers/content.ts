import { shownOfCategory } from '#domain/content/category.ts';
import { shownOfTemplate } from '#domain/content/email-template.ts';
import type { CategoryFacts, EmailTemplateFacts, ImageFacts } from '#domain/content/events.ts';
import type { Setting } from '#domain/content/site-config.ts';
import { type SiteKey, siteDefaults } from '#domain/content/site-defaults.ts';
import { defaultKind, variablesOf } from '#domain/content/site-mails.ts';
import type { AdminEmailTemplate } from '#domain/contracts/admin-email-templates.ts';
import type { AdminImage } from '#domain/contracts/admin-images.ts';
import type { AdminSetting } from '#domain/contracts/admin-site.ts';
import { revisionOf } from '#domain/kernel/revision.ts';
import { absolute, pictureOf } from './picture.ts';

export const toAdminSetting = (
  key: SiteKey,
  set: (Setting & { readonly at: string }) | undefined,
): AdminSetting => {
  const { value, description, category, at }: Setting & { readonly at: string | null } = set ?? {
    value: siteDefaults[key],
    description: '',
    category: 'general',
    at: null,
  };
  return { key, value, description, category, updatedAt: at, revision: revisionOf({ [key]: value }) };
};

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

export const toSavedCategory = <Category extends Pick<CategoryFacts, 'name' | 'emoji' | 'description'>>(
  category: Category,
): Category & { readonly revision: string } => ({
  ...category,
  revision: revisionOf(shownOfCategory(category)),
});

export const toAdminEmailTemplate = (
  { templateId, ...facts }: EmailTemplateFacts,
  at: string | null,
): AdminEmailTemplate => ({
  id: templateId,
  ...facts,
  revision: revisionOf(shownOfTemplate(templateId, at === null ? undefined : facts)),
  variables: [...variablesOf(facts.kind)],
  isCustom: at !== null,
  isDefault: defaultKind(templateId) !== undefined,
  updatedAt: at,
});
