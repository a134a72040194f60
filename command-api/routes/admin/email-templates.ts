import {
  addEmailTemplate,
  adminEmailTemplateOf,
  demandSendable,
  editEmailTemplate,
  emailTemplateOf,
} from '#command-api/catalogue/email-templates.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { changesOn, editsOn } from '#command-api/routes/change.ts';
import { EMAIL_TEMPLATES, emailTemplate } from '#domain/content/email-template.ts';
import { defaultKind } from '#domain/content/site-mails.ts';
import { adminEmailTemplateCalls } from '#domain/contracts/admin-email-templates.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import type { App } from '#infra/http/server.ts';
import { renderWords, sampleFor } from '#infra/mail/templates.ts';

/** Changes to email templates by superusers. */
export const adminEmailTemplateRoutes = (
  app: App,
  deps: Pick<CommandDeps, 'lane' | 'ids' | 'clock' | 'replies' | 'outbox' | 'config'>,
): void => {
  const { ids, outbox, config } = deps;
  const change = changesOn(app, deps);

  change(
    adminEmailTemplateCalls.create,
    async ({ body }, { acting, ids: { id } }) => {
      await addEmailTemplate(id, body, acting);
      return adminEmailTemplateOf(id, acting);
    },
    async () => ({ id: await ids.next('template') }),
  );

  editsOn(app, deps)(
    adminEmailTemplateCalls.edit,
    ({ params: { id }, body }, acting) => editEmailTemplate(id, body, acting),
    ({ params: { id } }, acting) => adminEmailTemplateOf(id, acting),
  );

  change(adminEmailTemplateCalls.remove, async ({ params: { id: templateId } }, { acting }) => {
    await acting.do(emailTemplate, EMAIL_TEMPLATES, { type: 'RemoveEmailTemplate', templateId });
    return {
      message: defaultKind(templateId) ? 'Email template is back to its default' : 'Email template deleted',
    };
  });

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
