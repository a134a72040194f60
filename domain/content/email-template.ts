import { type Aggregate, type Decision, reject } from '#domain/kernel/decider.ts';
import type { Shown } from '#domain/kernel/revision.ts';
import type { EmailTemplateEvent, EmailTemplateFacts } from './events.ts';
import { defaultKind, SITE_MAILS, type SiteMail, siteMails } from './site-mails.ts';

export type EmailTemplates = ReadonlyMap<number, EmailTemplateFacts & { readonly at: string }>;

export type EmailTemplateCommand =
  | ({ readonly type: 'AddEmailTemplate' } & EmailTemplateFacts)
  | ({ readonly type: 'EditEmailTemplate' } & EmailTemplateFacts)
  | { readonly type: 'RemoveEmailTemplate'; readonly templateId: number };

export const templateFor = (templates: EmailTemplates, kind: SiteMail): EmailTemplateFacts | undefined =>
  [...templates.values()].find((one) => one.isActive && one.kind === kind);

const folded = (name: string): string => name.trim().toLowerCase();

const isTaken = (templates: EmailTemplates, { templateId, name }: EmailTemplateFacts): boolean => {
  const others = SITE_MAILS.map((kind) => siteMails[kind]).filter(({ id }) => !templates.has(id));
  return [...others.map((one) => ({ templateId: one.id, name: one.name })), ...templates.values()].some(
    (one) => one.templateId !== templateId && folded(one.name) === folded(name),
  );
};

const saved = (
  templates: EmailTemplates,
  type: 'EmailTemplateAdded' | 'EmailTemplateEdited',
  data: EmailTemplateFacts,
): Decision<EmailTemplateEvent> => {
  if (isTaken(templates, data)) return reject('NAME_TAKEN');
  const before = data.isActive && data.kind ? templateFor(templates, data.kind) : undefined;
  const replaced: readonly EmailTemplateEvent[] =
    before && before.templateId !== data.templateId
      ? [{ type: 'EmailTemplateReplaced', data: { templateId: before.templateId } }]
      : [];
  return [{ type, data }, ...replaced];
};

const same = (one: EmailTemplateFacts, other: EmailTemplateFacts): boolean =>
  (Object.keys(one) as (keyof EmailTemplateFacts)[]).every((field) => one[field] === other[field]);

export const shownOfTemplate = (
  templateId: number,
  facts: Omit<EmailTemplateFacts, 'templateId'> | undefined,
): Shown => ({
  [`${templateId}.name`]: facts?.name,
  [`${templateId}.description`]: facts?.description,
  [`${templateId}.kind`]: facts?.kind,
  [`${templateId}.isActive`]: facts?.isActive,
  [`${templateId}.subject`]: facts?.subject,
  [`${templateId}.htmlContent`]: facts?.htmlContent,
  [`${templateId}.textContent`]: facts?.textContent,
});

/**
 * The last activated template writes each mail. Refuses with NAME_TAKEN, NOT_FOUND. The caller checks the
 * content (`complaintsAbout`).
 */
export const emailTemplate: Aggregate<EmailTemplates, EmailTemplateCommand, EmailTemplateEvent> = {
  name: 'email-template',
  shown: (templates) => Object.assign({}, ...[...templates].map(([id, facts]) => shownOfTemplate(id, facts))),
  initial: new Map(),
  evolve(state, { type, data }, at) {
    const templates = new Map(state);
    if (type === 'EmailTemplateAdded' || type === 'EmailTemplateEdited')
      templates.set(data.templateId, { ...data, at });
    else if (type === 'EmailTemplateReplaced') {
      const before = state.get(data.templateId);
      if (before) templates.set(data.templateId, { ...before, isActive: false });
    } else templates.delete(data.templateId);
    return templates;
  },
  decide(state, { type, ...data }) {
    const before = state.get(data.templateId);
    const kind = defaultKind(data.templateId);
    if (type === 'AddEmailTemplate')
      return before ? [] : saved(state, 'EmailTemplateAdded', data as EmailTemplateFacts);
    if (!before && !kind) return reject('NOT_FOUND');
    if (type === 'EditEmailTemplate') {
      const facts = { ...(data as EmailTemplateFacts), ...(kind && { kind }) };
      return before && same(facts, before) ? [] : saved(state, 'EmailTemplateEdited', facts);
    }
    const { templateId } = data;
    if (!before) return [];
    return [{ type: kind ? 'EmailTemplateReset' : 'EmailTemplateRemoved', data: { templateId } }];
  },
};

export const EMAIL_TEMPLATES = 'all';
