import type { ActingHandler, CommandHandler } from '#command-api/commands/command-handler.ts';
import { toAdminEmailTemplate } from '#domain/answers/content.ts';
import { EMAIL_TEMPLATES, emailTemplate } from '#domain/content/email-template.ts';
import type { EmailTemplateFacts, MailWords } from '#domain/content/events.ts';
import { defaultKind, type SiteMail, siteMails } from '#domain/content/site-mails.ts';
import type { AdminEmailTemplate, EmailTemplateRequest } from '#domain/contracts/admin-email-templates.ts';
import { badInput } from '#domain/kernel/decider.ts';
import { Refusal, refusalOf } from '#domain/kernel/refusal.ts';
import { defaultWords } from '#infra/mail/default-words.ts';
import { complaintsAbout } from '#infra/mail/templates.ts';

export const demandSendable = async (kind: SiteMail | null, words: MailWords): Promise<void> => {
  const fields = await complaintsAbout(kind, words);
  if (Object.keys(fields).length > 0) throw refusalOf(badInput(fields));
};

const saved = async (
  type: 'AddEmailTemplate' | 'EditEmailTemplate',
  facts: EmailTemplateFacts,
  acting: ActingHandler,
): Promise<void> => {
  await demandSendable(facts.kind, facts);
  await acting.do(emailTemplate, EMAIL_TEMPLATES, { type, ...facts });
};

export const addEmailTemplate = (
  templateId: number,
  { kind = null, ...request }: EmailTemplateRequest,
  acting: ActingHandler,
): Promise<void> => saved('AddEmailTemplate', { templateId, kind, ...request }, acting);

export const editEmailTemplate = async (
  templateId: number,
  request: EmailTemplateRequest,
  acting: ActingHandler,
): Promise<void> => {
  const before = await emailTemplateOf(templateId, acting);
  if (!before) throw new Refusal('NOT_FOUND');
  const kind = defaultKind(templateId) ?? (request.kind === undefined ? before.kind : request.kind);
  return saved('EditEmailTemplate', { templateId, ...request, kind }, acting);
};

export const adminEmailTemplateOf = async (
  templateId: number,
  acting: ActingHandler,
): Promise<AdminEmailTemplate> => {
  const facts = await emailTemplateOf(templateId, acting);
  if (!facts) throw new Refusal('NOT_FOUND');
  const { at = null, ...shown } = facts;
  return toAdminEmailTemplate(shown, at);
};

export const emailTemplateOf = async (
  templateId: number,
  handler: Pick<CommandHandler | ActingHandler, 'state'>,
): Promise<(EmailTemplateFacts & { readonly at?: string }) | undefined> => {
  const { state: templates } = await handler.state(emailTemplate, EMAIL_TEMPLATES);
  const kind = defaultKind(templateId);
  if (templates.has(templateId) || !kind) return templates.get(templateId);
  const { name, description } = siteMails[kind];
  return { templateId, kind, name, description, isActive: true, ...defaultWords(kind) };
};
