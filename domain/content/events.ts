import { defineEvent, type EventOf } from '#domain/kernel/event.ts';
import type { SiteMail } from './site-mails.ts';

export interface CategoryFacts {
  readonly categoryId: number;
  /** From `categorySlug(name)`; unchanged when the name changes. */
  readonly slug: string;
  readonly name: string;
  readonly emoji: string;
  readonly description: string;
}

export const categoryEvents = {
  CategoryAdded: defineEvent<CategoryFacts>()({ audit: ['create', 'category', 'Added'], work: false }),
  CategoryEdited: defineEvent<CategoryFacts>()({ audit: ['update', 'category', 'Edited'], work: false }),
  CategoryArchived: defineEvent<{ categoryId: number; slug: string }>()({
    audit: ['delete', 'category', 'Deleted'],
    work: false,
  }),
};
export type CategoryEvent = EventOf<typeof categoryEvents>;

export const siteConfigEvents = {
  SettingChanged: defineEvent<{ key: string; value: string; description: string; category: string }>()({
    audit: ['update', 'setting', 'Changed'],
    work: false,
  }),
  SettingReset: defineEvent<{ key: string }>()({
    audit: ['update', 'setting', 'Back to the default'],
    work: false,
  }),
};
export type SiteConfigEvent = EventOf<typeof siteConfigEvents>;

export const IMAGE_TYPES = ['general', 'logo', 'hero', 'event'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

export interface ImageFacts {
  readonly imageId: number;
  readonly originalName: string;
  readonly use: ImageType;
  readonly path: string;
  readonly format: string;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
}

export const imageEvents = {
  ImageAdded: defineEvent<ImageFacts>()({ audit: ['create', 'image', 'Uploaded'], work: false }),
  ImageRemoved: defineEvent<{ imageId: number }>()({ audit: ['delete', 'image', 'Deleted'], work: false }),
};
export type ImageEvent = EventOf<typeof imageEvents>;

export interface MailWords {
  readonly subject: string;
  readonly htmlContent: string;
  readonly textContent: string;
}

export interface EmailTemplateFacts extends MailWords {
  readonly templateId: number;
  readonly name: string;
  readonly description: string;
  readonly kind: SiteMail | null;
  readonly isActive: boolean;
}

export const emailTemplateEvents = {
  EmailTemplateAdded: defineEvent<EmailTemplateFacts>()({
    audit: ['create', 'email-template', 'Added'],
    work: false,
  }),
  EmailTemplateEdited: defineEvent<EmailTemplateFacts>()({
    audit: ['update', 'email-template', 'Edited'],
    work: false,
  }),
  EmailTemplateReplaced: defineEvent<{ templateId: number }>()({ audit: null, work: false }),
  EmailTemplateReset: defineEvent<{ templateId: number }>()({
    audit: ['update', 'email-template', 'Back to the default'],
    work: false,
  }),
  EmailTemplateRemoved: defineEvent<{ templateId: number }>()({
    audit: ['delete', 'email-template', 'Deleted'],
    work: false,
  }),
};
export type EmailTemplateEvent = EventOf<typeof emailTemplateEvents>;
