import { readFileSync } from 'node:fs';
import { Liquid } from 'liquidjs';
import type { MailKind, Message } from './mailer.ts';

/**
 * The engine for HTML. Templates can't include files, output is escaped, an unknown variable is an error, only own properties are
 * read, and parsing, rendering and memory have limits.
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

/** The engine for plain text: nothing is escaped. */
const plainEngine = new Liquid({
  strictVariables: true,
  strictFilters: true,
  ownPropertyOnly: true,
  templates: {},
});

const read = (name: string): string => readFileSync(new URL(`./templates/${name}`, import.meta.url), 'utf8');
const layout = read('layout.liquid');

/** The variables of a mail's template. Values are shown as they are: money and dates are already formatted. */
export type MailContext = Readonly<Record<string, string | number | boolean | null>>;

interface Template {
  readonly subject: string;
  readonly heading: string;
  /**
   * Paragraphs, separated by empty lines. A paragraph `[Label]({{ url }})` becomes a button; lines
   * `| Name | {{ value }}` become a table of facts.
   */
  readonly body: string;
}

/** Reads a template file: subject, heading and body, with lines `---` between them. */
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
const FACT = /^\| (.+?) \| (.+)$/;

/** A paragraph of a mail with its values filled in: text, a button (`label`, `url`), or facts. */
interface Part {
  readonly text: string;
  readonly label: string;
  readonly url: string;
  readonly facts: readonly { readonly name: string; readonly value: string }[];
}
const NOTHING: Part = { text: '', label: '', url: '', facts: [] };

const fillPart = async (source: string, fill: (text: string) => Promise<string>): Promise<Part> => {
  const facts = source.split('\n').map((line) => FACT.exec(line.trim()));
  if (facts.every((fact) => fact !== null))
    return {
      ...NOTHING,
      facts: await Promise.all(
        facts.map(async ([, name = '', value = '']) => ({ name, value: await fill(value) })),
      ),
    };
  const paragraph = source.replace(/\s*\n\s*/g, ' ');
  const button = BUTTON.exec(paragraph);
  return button
    ? { ...NOTHING, label: await fill(button[1] ?? ''), url: await fill(button[2] ?? '') }
    : { ...NOTHING, text: await fill(paragraph) };
};

const asText = ({ text, label, url, facts }: Part): string =>
  facts.length > 0
    ? facts.map(({ name, value }) => `${name}: ${value}`).join('\n')
    : url
      ? `${label}: ${url}`
      : text;

/** Renders a mail as HTML and as plain text. @throws when the template names a variable that the context lacks */
export const renderMail = async (
  kind: MailKind,
  context: MailContext,
): Promise<Omit<Message, 'to' | 'attachments'>> => {
  const template = templateOf(kind);
  const fill = (text: string): Promise<string> => plainEngine.parseAndRender(text, context);
  const [subject, heading] = await Promise.all([fill(template.subject), fill(template.heading)]);
  // The body is split into paragraphs before values are filled in, so that no value can add a paragraph or a button.
  const filled = await Promise.all(
    template.body.split(/\n\s*\n/).map((source) => fillPart(source.trim(), fill)),
  );
  const parts = filled.filter(({ url, text, facts }) => url !== '' || text !== '' || facts.length > 0);
  const { siteName, siteUrl, contactEmail } = context;
  const preview = parts.find((part) => part.text !== '')?.text ?? '';
  const html = await engine.parseAndRender(layout, {
    subject,
    heading,
    preview,
    parts,
    siteName,
    siteUrl,
    contactEmail,
  });
  const text = [heading, ...parts.map(asText), `${siteName}, ${siteUrl}`].join('\n\n');
  return { subject: subject.replace(/[\r\n]+/g, ' '), html, text };
};
