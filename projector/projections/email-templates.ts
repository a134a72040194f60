import { type EmailTemplateEvent, emailTemplateEvents } from '#domain/content/events.ts';
import { typesOf } from '#domain/kernel/event.ts';
import { emailTemplateTable } from '#infra/read-models/tables.ts';
import { type DeclaredProjection, expectRow, type Projected } from '#projector/engine/projection.ts';

const emailTemplateRows: Projected<typeof emailTemplateTable, EmailTemplateEvent> = {
  table: emailTemplateTable,
  types: typesOf(emailTemplateEvents),
  keys: ({ event }) => [event.data.templateId],
  fold: (row, applied) => {
    const { event, meta } = applied;
    if (event.type === 'EmailTemplateReset' || event.type === 'EmailTemplateRemoved') return undefined;
    if (event.type === 'EmailTemplateReplaced') return { ...expectRow(row, applied), is_active: false };
    const { templateId, htmlContent, textContent, isActive, ...facts } = event.data;
    return {
      ...facts,
      id: templateId,
      html_content: htmlContent,
      text_content: textContent,
      is_active: isActive,
      updated_at: meta.at,
    };
  },
};

export const emailTemplates: DeclaredProjection = {
  name: 'email-templates',
  fold: 1,
  tables: [emailTemplateRows],
};
