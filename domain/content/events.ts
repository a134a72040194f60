import { defineEvent, type EventOf } from '#domain/kernel/event.ts';
import type { SiteMail } from './site-mails.ts';

/** A category. */
export interface CategoryFacts {
  readonly categoryId: number;
  /** From `categorySlug(name)`. It stays the same when the name changes. */
  readonly slug: string;
  readonly name: string;
  readonly emoji: string;
  readonly description: string;
}

/** The events of `category-{slug}`. */
export const categoryEvents = {
  CategoryAdded: defineEvent<CategoryFacts>()({ audit: ['create', 'category', 'Added'], work: false }),
  CategoryEdited: defineEvent<CategoryFacts>()({ audit: ['update', 'category', 'Edited'], work: false }),
  CategoryArchived: defineEvent<{ categoryId: number; slug: string }>()({
    audit: ['delete', 'category', 'Deleted'],
    work: false,
  }),
};
export type CategoryEvent = EventOf<typeof categoryEvents>;

/** The events of `site-config`. */
export const siteConfigEvents = {
  SettingChanged: defineEvent<{ key: string; value: string; description: string; category: string }>()({
    audit: ['update', 'setting', 'Changed'],
    work: false,
  }),
  /** The setting has its default again. */
  SettingReset: defineEvent<{ key: string }>()({
    audit: ['update', 'setting', 'Back to the default'],
    work: false,
  }),
};
export type SiteConfigEvent = EventOf<typeof siteConfigEvents>;

/** What an image was uploaded for. */
export const IMAGE_TYPES = ['general', 'logo', 'hero', 'event'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

export interface ImageFacts {
  readonly imageId: number;
  /** The name of the file that was uploaded. */
  readonly originalName: string;
  readonly use: ImageType;
  /** The path of its largest size, `/images/….webp`. */
  readonly path: string;
  readonly format: string;
  /** The size of the stored file, in bytes and in pixels. */
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
}

/** The events of `image-{id}`. */
export const imageEvents = {
  ImageAdded: defineEvent<ImageFacts>()({ audit: ['create', 'image', 'Uploaded'], work: false }),
  ImageRemoved: defineEvent<{ imageId: number }>()({ audit: ['delete', 'image', 'Deleted'], work: false }),
};
export type ImageEvent = EventOf<typeof imageEvents>;

/** The words of a mail, in Liquid: `{{ eventTitle }}`. */
export interface MailWords {
  readonly subject: string;
  /** What stands in the mail's layout. */
  readonly htmlContent: string;
  readonly textContent: string;
}

export interface EmailTemplateFacts extends MailWords {
  readonly templateId: number;
  readonly name: string;
  readonly description: string;
  /** The mail that it writes; null if none does yet. */
  readonly kind: SiteMail | null;
  readonly isActive: boolean;
}

/** The events of `email-template-all`. */
export const emailTemplateEvents = {
  EmailTemplateAdded: defineEvent<EmailTemplateFacts>()({
    audit: ['create', 'email-template', 'Added'],
    work: false,
  }),
  /** A default one that is edited for the first time has no `EmailTemplateAdded` before. */
  EmailTemplateEdited: defineEvent<EmailTemplateFacts>()({
    audit: ['update', 'email-template', 'Edited'],
    work: false,
  }),
  /** Another one writes its mail now. */
  EmailTemplateReplaced: defineEvent<{ templateId: number }>()({ audit: null, work: false }),
  /** It says what the site's default says again. */
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
