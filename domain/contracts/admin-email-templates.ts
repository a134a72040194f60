import * as z from 'zod/mini';
import { SITE_MAILS } from '#domain/content/site-mails.ts';
import { call } from './call.ts';
import { listQuery, orRow, said } from './envelope.ts';
import { flag, idParams, LONGEST, optionalText, since, text } from './fields.ts';

const words = {
  subject: text(LONGEST.title, 'Subject is required'),
  htmlContent: text(LONGEST.mail, 'HTML content is required'),
  textContent: text(LONGEST.mail, 'Text content is required'),
};
/** The mail that the template writes. */
const kind = z.nullable(z.enum(SITE_MAILS));

/** `POST /api/admin/email-templates` */
export const emailTemplateRequest = z.strictObject({
  name: text(LONGEST.name, 'Name is required'),
  ...words,
  description: optionalText(LONGEST.reason),
  isActive: flag(true),
  /** Missing means: as before, and none for a new one. A default's can't be changed. */
  kind: z.optional(kind),
});
export type EmailTemplateRequest = z.output<typeof emailTemplateRequest>;
/** `PUT /api/admin/email-templates/{id}` */
export const editEmailTemplateRequest = z.extend(emailTemplateRequest, since());

/** An item of `GET /api/admin/email-templates`. */
export const adminEmailTemplate = z.object({
  id: z.int(),
  name: z.string(),
  subject: z.string(),
  htmlContent: z.string(),
  textContent: z.string(),
  description: z.string(),
  /** The variables that it may name. */
  variables: z.array(z.string()),
  /** Whether it is sent. Where no template of a mail is active, the site's default is sent. */
  isActive: z.boolean(),
  /** Whether a superuser wrote it: it was added, or is an edited default. */
  isCustom: z.boolean(),
  /** Whether it is one of the site's own, which can be edited and reset but never removed. */
  isDefault: z.boolean(),
  kind,
  /** Null while it says what the site brings. */
  updatedAt: z.nullable(z.string()),
  revision: z.string(),
});
export type AdminEmailTemplate = z.infer<typeof adminEmailTemplate>;

const administer = { capability: 'administer' } as const;
const changing = { ...administer, limit: 'administration' } as const;

/** The calls of `/api/admin/email-templates`. */
export const adminEmailTemplateCalls = {
  /** The site's own first where no order is asked for. The search looks at name, subject and description. */
  list: call('GET /api/admin/email-templates', {
    query: listQuery(['name', 'updated'], { status: z.optional(z.enum(['active', 'inactive'])) }),
    answer: z.array(adminEmailTemplate),
    ...administer,
  }),
  /** Refused with `BAD_INPUT` if it names a variable that its mail doesn't have, or lacks the link that its mail is for. */
  create: call('POST /api/admin/email-templates', {
    body: orRow(emailTemplateRequest, adminEmailTemplate),
    answer: adminEmailTemplate,
    status: [201],
    idempotent: true,
    ...changing,
  }),
  edit: call('PUT /api/admin/email-templates/{id}', {
    params: idParams(),
    body: orRow(editEmailTemplateRequest, adminEmailTemplate),
    answer: adminEmailTemplate,
    ...changing,
  }),
  /** A default one says what the site brings again; another is deleted. */
  remove: call('DELETE /api/admin/email-templates/{id}', {
    params: idParams(),
    answer: said(),
    ...changing,
  }),
  /** The mail that the words would make, on sample data. Refused as `create` is. */
  preview: call('POST /api/admin/email-templates/preview', {
    body: z.strictObject({ ...words, kind: z.optional(kind) }),
    answer: z.object({ subject: z.string(), html: z.string(), text: z.string() }),
    ...changing,
  }),
  /** Mails the template, filled in with sample data, to whoever asks. */
  test: call('POST /api/admin/email-templates/{id}/test', {
    params: idParams(),
    answer: said(),
    capability: 'administer',
    limit: 'test-mail',
  }),
};
