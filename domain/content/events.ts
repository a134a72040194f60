import { type EventOf, plain } from '#domain/kernel/personal.ts';
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
  CategoryAdded: plain<CategoryFacts>(),
  CategoryEdited: plain<CategoryFacts>(),
  CategoryArchived: plain<{ categoryId: number; slug: string }>(),
};
export type CategoryEvent = EventOf<typeof categoryEvents>;

/** The events of `site-config`. */
export const siteConfigEvents = {
  SettingChanged: plain<{ key: string; value: string; description: string; category: string }>(),
  /** The setting has its default again. */
  SettingReset: plain<{ key: string }>(),
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
  ImageAdded: plain<ImageFacts>(),
  ImageRemoved: plain<{ imageId: number }>(),
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
  EmailTemplateAdded: plain<EmailTemplateFacts>(),
  /** A default one that is edited for the first time has no `EmailTemplateAdded` before. */
  EmailTemplateEdited: plain<EmailTemplateFacts>(),
  /** Another one writes its mail now. */
  EmailTemplateReplaced: plain<{ templateId: number }>(),
  /** It says what the site's default says again. */
  EmailTemplateReset: plain<{ templateId: number }>(),
  EmailTemplateRemoved: plain<{ templateId: number }>(),
};
export type EmailTemplateEvent = EventOf<typeof emailTemplateEvents>;
