import { sql } from 'kysely';
import { toAdminEmailTemplate } from '#domain/answers/content.ts';
import { SITE_MAILS, type SiteMail, siteMails } from '#domain/content/site-mails.ts';
import { adminEmailTemplateCalls } from '#domain/contracts/admin-email-templates.ts';
import type { QueryOf } from '#domain/contracts/call.ts';
import type { App } from '#infra/http/server.ts';
import { defaultWords } from '#infra/mail/default-words.ts';
import { LIVE } from '#infra/read-models/read-models.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { contains } from '#query-api/queries/contains.ts';
import { listRoute } from '#query-api/routes/list.ts';

interface TemplateRow {
  readonly templateId: number;
  readonly kind: SiteMail | null;
  readonly name: string;
  readonly subject: string;
  readonly htmlContent: string;
  readonly textContent: string;
  readonly description: string;
  readonly isActive: boolean;
  readonly updatedAt: string | null;
}

const templates = () => {
  const own = SITE_MAILS.map((kind) => {
    const { id, name, description } = siteMails[kind];
    return { id, kind, name, description, ...defaultWords(kind) };
  });
  const table = sql.raw(`${LIVE}.email_template`);
  return sql<TemplateRow>`(
    select coalesce(t.id, d.id) as "templateId",
      coalesce(t.kind, d.kind) as kind,
      coalesce(t.name, d.name) as name,
      coalesce(t.subject, d.subject) as subject,
      coalesce(t.html_content, d."htmlContent") as "htmlContent",
      coalesce(t.text_content, d."textContent") as "textContent",
      coalesce(t.description, d.description) as description,
      coalesce(t.is_active, not exists (select from ${table} o where o.kind = d.kind and o.is_active)) as "isActive",
      t.updated_at as "updatedAt"
    from json_to_recordset(${JSON.stringify(own)}::json) as d
      (id integer, kind text, name text, subject text, "htmlContent" text, "textContent" text, description text)
    full join ${table} t on t.id = d.id)`.as('m');
};

export const adminEmailTemplateRoutes = (app: App, { db }: QueryContext): void => {
  const source = {
    sorts: { name: 'name', updated: 'updatedAt' },
    usual: sql`"templateId"`,
    id: 'templateId',
    select({ search, status }: QueryOf<typeof adminEmailTemplateCalls.list>) {
      let found = db.selectFrom(templates()).selectAll();
      if (status) found = found.where('isActive', '=', status === 'active');
      return search ? found.where(contains(['name', 'subject', 'description'], search)) : found;
    },
  };
  listRoute(app, adminEmailTemplateCalls.list, source, (rows) =>
    rows.map(({ updatedAt, ...facts }) => toAdminEmailTemplate(facts, updatedAt)),
  );
};
