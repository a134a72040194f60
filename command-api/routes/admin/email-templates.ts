import {
  addEmailTemplate,
  adminEmailTemplateOf,
  demandSendable,
  editEmailTemplate,
  emailTemplateOf,
} from '#command-api/catalogue/email-templates.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { changesOn, crudOn } from '#command-api/routes/change.ts';
import { EMAIL_TEMPLATES, emailTemplate } from '#domain/content/email-template.ts';
import { defaultKind } from '#domain/content/site-mails.ts';
import { adminEmailTemplateCalls } from '#domain/contracts/admin-email-templates.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import type { App } from '#infra/http/server.ts';
import { renderWords, sampleFor } from '#infra/mail/templates.ts';

export const adminEmailTemplateRoutes = (
  app: App,
  deps: Pick<CommandDeps, 'handler' | 'ids' | 'clock' | 'replies' | 'outbox' | 'config'>,
): void => {
  const { ids, outbox, config } = deps;
  crudOn(app, deps)(adminEmailTemplateCalls, {
    newId: () => ids.next('template'),
    create: addEmailTemplate,
    edit: editEmailTemplate,
    remove: (templateId, acting) =>
      acting.do(emailTemplate, EMAIL_TEMPLATES, { type: 'RemoveEmailTemplate', templateId }),
    answer: adminEmailTemplateOf,
    removed: (id) => (defaultKind(id) ? 'Email template is back to its default' : 'Email template deleted'),
  });

  const change = changesOn(app, deps);

  change(adminEmailTemplateCalls.preview, async ({ body: { kind = null, ...words } }) => {
    await demandSendable(kind, words);
    return renderWords(words, sampleFor(kind, config.baseUrl));
  });

  change(adminEmailTemplateCalls.test, async ({ params: { id }, principal }, { acting }) => {
    if (!(await emailTemplateOf(id, acting))) throw new Refusal('NOT_FOUND');
    const { accountId } = principal;
    const key = `template-test ${ids.uuid()}`;
    await outbox.enqueue({ kind: 'template-test', accountId, data: { templateId: id }, key });
    return { message: 'Test mail sent' };
  });
};
