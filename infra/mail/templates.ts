import { readFileSync } from 'node:fs';
import { Liquid } from 'liquidjs';
import type { MailKind, Message } from './mailer.ts';

/**
 * Liquid, locked down: templates come from text and never from files, every output is escaped, an unknown variable
 * is an error, only own properties are read, and parsing, rendering and memory are bounded.
 */
const engine = new Liquid({
  strictVariables: true,
  strictFilters: true,
  ownPropertyOnly: true,
  outputEscape: 'escape',
  parseLimit: 100_000,
  renderLimit: 1_000,
  memoryLimit: 1_000_000,
  relativeReference: false,
  templates: {},
});

const plainEngine = new Liquid({
  strictVariables: true,
  strictFilters: true,
  ownPropertyOnly: true,
  templates: {},
});

const read = (name: string): string => readFileSync(new URL(`./templates/${name}`, import.meta.url), 'utf8');
const layout = read('layout.liquid');

/** What a mail's template may say. Values are text that is shown as it is: money and dates already in words. */
export type MailContext = Readonly<Record<string, string | number | boolean | null>>;

interface Template {
  readonly subject: string;
  readonly heading: string;
  /** Paragraphs, separated by blank lines; a paragraph `[Label]({{ url }})` is a button. */
  readonly body: string;
}

/** A template file: the subject, a line `---`, the heading, a line `---`, the body. */
const parse = (text: string): Template => {
  const [subject = '', heading = '', ...body] = text.split(/^---$/m).map((part) => part.trim());
  return { subject, heading, body: body.join('\n---\n') };
};

const templates = new Map<MailKind, Template>();
const templateOf = (kind: MailKind): Template => {
  const known = templates.get(kind) ?? parse(read(`${kind}.liquid`));
  templates.set(kind, known);
  return known;
};

const BUTTON = /^\[(.+)\]\((.+)\)$/;

/** Renders a mail, as HTML and as plain text. Throws where the template names a variable that the context lacks. */
export const renderMail = async (
  kind: MailKind,
  context: MailContext,
): Promise<Omit<Message, 'to' | 'attachments'>> => {
  const template = templateOf(kind);
  const fill = (text: string): Promise<string> => plainEngine.parseAndRender(text, context);
  const [subject, heading] = await Promise.all([fill(template.subject), fill(template.heading)]);
  // the paragraphs are cut before anything is filled in, so that no value can add one, or a button
  const filled = await Promise.all(
    template.body.split(/\n\s*\n/).map(async (source) => {
      const paragraph = source.trim().replace(/\s*\n\s*/g, ' ');
      const button = BUTTON.exec(paragraph);
      return button
        ? { label: await fill(button[1] ?? ''), url: await fill(button[2] ?? ''), text: '' }
        : { label: '', url: '', text: await fill(paragraph) };
    }),
  );
  const paragraphs = filled.filter((paragraph) => paragraph.url !== '' || paragraph.text !== '');
  const html = await engine.parseAndRender(layout, {
    subject,
    heading,
    paragraphs,
    siteName: context.siteName,
    siteUrl: context.siteUrl,
    contactEmail: context.contactEmail,
  });
  const text = [
    heading,
    ...paragraphs.map((paragraph) =>
      paragraph.url ? `${paragraph.label}: ${paragraph.url}` : paragraph.text,
    ),
    `${context.siteName}, ${context.siteUrl}`,
  ].join('\n\n');
  return { subject: subject.replace(/[\r\n]+/g, ' '), html, text };
};
