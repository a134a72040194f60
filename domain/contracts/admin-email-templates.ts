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
const kind = z.nullable(z.enum(SITE_MAILS));

export const emailTemplateRequest = z.strictObject({
  name: text(LONGEST.name, 'Name is required'),
  ...words,
  description: optionalText(LONGEST.reason),
  isActive: flag(true),
  /** If omitted, an edit keeps it, and a new template has none. A default's kind cannot change. */
  kind: z.optional(kind),
});
export type EmailTemplateRequest = z.output<typeof emailTemplateRequest>;
export const editEmailTemplateRequest = z.extend(emailTemplateRequest, since());

export const adminEmailTemplate = z.object({
  id: z.int(),
  name: z.string(),
  subject: z.string(),
  htmlContent: z.string(),
  textContent: z.string(),
  description: z.string(),
  variables: z.array(z.string()),
  isActive: z.boolean(),
  isCustom: z.boolean(),
  isDefault: z.boolean(),
  kind,
  updatedAt: z.nullable(z.string()),
  revision: z.string(),
});
export type AdminEmailTemplate = z.infer<typeof adminEmailTemplate>;

const administer = { capability: 'administer' } as const;
const changing = { ...administer, limit: 'administration' } as const;

export const adminEmailTemplateCalls = {
  list: call('GET /api/admin/email-templates', {
    query: listQuery(['name', 'updated'], { status: z.optional(z.enum(['active', 'inactive'])) }),
    answer: z.array(adminEmailTemplate),
    ...administer,
  }),
  /** Fails with `BAD_INPUT` for a variable that the mail lacks, or without the mail's required link. */
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
  /** Resets a default template; deletes any other. */
  remove: call('DELETE /api/admin/email-templates/{id}', {
    params: idParams(),
    answer: said(),
    ...changing,
  }),
  preview: call('POST /api/admin/email-templates/preview', {
    body: z.strictObject({ ...words, kind: z.optional(kind) }),
    answer: z.object({ subject: z.string(), html: z.string(), text: z.string() }),
    ...changing,
  }),
  /** Mails it to the caller, with sample data. */
  test: call('POST /api/admin/email-templates/{id}/test', {
    params: idParams(),
    answer: said(),
    capability: 'administer',
    limit: 'test-mail',
  }),
};
