import { readFileSync } from 'node:fs';
import { Context, Liquid, type Template } from 'liquidjs';
import type { MailWords } from '#domain/content/events.ts';
import { type SiteMail, siteMails, variablesOf } from '#domain/content/site-mails.ts';
import { sanitizeMail } from '#infra/html/sanitize-html.ts';
import { defaultWords } from './default-words.ts';
import { dressMail } from './mail-html.ts';
import type { Message } from './mailer.ts';
import { faultIn } from './template-fault.ts';

/** No files or unknown variables, own properties only, limited parsing and memory, and escaping always on. */
const engineFor = (medium: 'html' | 'text'): Liquid => {
  const engine = new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    ...(medium === 'html' && { outputEscape: 'escape' as const }),
    parseLimit: 100_000,
    memoryLimit: 1_000_000,
    relativeReference: false,
    templates: {},
  });
  for (const tag of ['include', 'render', 'layout', 'block']) delete engine.tags[tag];
  delete engine.filters.raw;
  return engine;
};
const forHtml = engineFor('html');
const forText = engineFor('text');
const engines = { subject: forText, htmlContent: forHtml, textContent: forText };

/** Each loop pass counts. A mail has some dozens; this many take at most 40 ms. */
const MOST_PARTS = 10_000;

/**
 * A limit of time would fail mails on a stalled machine.
 * @throws when it is too long or names an unknown variable
 */
const fill = (engine: Liquid, parsed: Template[], values: MailContext): Promise<string> => {
  const context = new Context(values, engine.options, {}, { liquid: engine });
  let parts = 0;
  context.renderLimit.check = () => {
    parts += 1;
    if (parts > MOST_PARTS) throw new Error('template render limit exceeded');
  };
  return engine.render(parsed, context);
};

const layout = forHtml.parse(readFileSync(new URL('./templates/layout.liquid', import.meta.url), 'utf8'));

export type MailContext = Readonly<Record<string, string | number | boolean | null>>;
type Rendered = Pick<Message, 'subject' | 'html' | 'text'>;

const SAID: ReadonlySet<string> = new Set(['message']);

/** No value can add a paragraph or a header. */
const flat = (context: MailContext): MailContext =>
  Object.fromEntries(
    Object.entries(context).map(([name, value]) => [
      name,
      typeof value === 'string' && !SAID.has(name) ? value.replace(/\s*[\r\n]+\s*/g, ' ') : value,
    ]),
  );

/** @throws when the words are not a valid template or name an unknown variable */
export const renderWords = async (words: MailWords, values: MailContext): Promise<Rendered> => {
  const context = flat(values);
  const { siteName = '', siteUrl = '', contactEmail } = context;
  const [subject, html, text] = await Promise.all([
    fill(forText, forText.parse(words.subject), context),
    fill(forHtml, forHtml.parse(words.htmlContent), context),
    fill(forText, forText.parse(words.textContent), context),
  ]);
  const paragraphs = text.split(/\n\s*\n/).filter((paragraph: string) => paragraph.trim() !== '');
  const line = subject.replace(/[\r\n]+/g, ' ');
  const preview = paragraphs[1] ?? paragraphs[0] ?? '';
  const frame = await fill(forHtml, layout, { ...context, subject: line, preview });
  return {
    subject: line,
    html: frame.replace('<!-- content -->', () => dressMail(html)),
    text: [
      ...paragraphs,
      `${siteName}, ${siteUrl}${contactEmail ? `\nQuestions? ${contactEmail}` : ''}`,
    ].join('\n\n'),
  };
};

const hasLink = ({ html, text }: Rendered, link: unknown): boolean =>
  typeof link !== 'string' || (html.includes(`href="${link}"`) && text.includes(link));

/**
 * The site's default if there is no template or it fails. Sees the mail's own variables only.
 * @throws when the context lacks one
 */
export const renderMail = async (
  kind: SiteMail,
  context: MailContext,
  words?: MailWords,
): Promise<Rendered> => {
  const names: readonly string[] = siteMails[kind].variables;
  const shown = Object.fromEntries(Object.entries(context).filter(([name]) => names.includes(name)));
  const own = words && (await renderWords(words, shown).catch(() => undefined));
  return own && hasLink(own, shown.link) ? own : renderWords(defaultWords(kind), shown);
};

export const sampleFor = (kind: SiteMail | null, siteUrl: string): MailContext => {
  const all: MailContext = {
    siteName: 'Reprise',
    siteUrl,
    contactEmail: 'hello@reprise.test',
    userName: 'Ada Lovelace',
    firstName: 'Ada',
    link: `${siteUrl}/verify-email?token=sample`,
    eventTitle: 'Night Ferry',
    title: 'Night Ferry',
    eventDate: 'Fri 4 Dec, 7:30 pm',
    when: 'Fri 4 Dec, 7:30 pm',
    receipt: 'E-4F0C2-91B7D-0A3E8-C55D1',
    eventId: 7,
    bookingId: 12,
    reference: 'BK4X7QPM2D',
    quantity: 2,
    paid: '£57.00',
    refund: '£45.60',
    review: true,
    rescheduled: true,
    bookedFor: 'Thu 3 Dec, 7:30 pm',
    calledOff: false,
    reason: 'The ticket was used.',
    venue: 'The Lantern Rooms',
    address: '1 High Street, London',
    doors: '7 pm',
    soldOut: true,
    supportId: 7,
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    category: 'A booking',
    topic: 'My seat',
    message: 'Hello!\n\nWhere is my seat?',
  };
  const names = variablesOf(kind);
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
};

/** No refund, no name. */
const sparse: MailContext = {
  userName: '',
  firstName: '',
  quantity: 1,
  paid: 'free',
  refund: '',
  review: false,
  rescheduled: false,
  calledOff: true,
  venue: '',
  doors: '',
  soldOut: false,
  topic: '',
};

const NO_LINK = 'This mail is for its link: it needs {{ link }}, as a link in the HTML';

const NOTHING = 'This says nothing at all';

const isBlank = (field: keyof MailWords, made: string): boolean =>
  (field === 'htmlContent' ? sanitizeMail(made).replace(/<(?!img\b)[^>]*>|&nbsp;/gi, '') : made).trim() ===
  '';

const complaintAbout = async (
  field: keyof MailWords,
  source: string,
  kind: SiteMail | null,
  samples: readonly MailContext[],
): Promise<string | undefined> => {
  const engine = engines[field];
  try {
    const parsed = engine.parse(source);
    const names = variablesOf(kind);
    const unknown = engine.globalVariablesSync(parsed).filter((name) => !names.includes(name));
    if (unknown.length > 0) return `This mail has no ${unknown.join(', ')}. It has ${names.join(', ')}`;
    for (const sample of samples) if (isBlank(field, await fill(engine, parsed, sample))) return NOTHING;
  } catch (error) {
    return faultIn(source, error);
  }
  return undefined;
};

export const complaintsAbout = async (
  kind: SiteMail | null,
  words: MailWords,
): Promise<Partial<Record<keyof MailWords, string>>> => {
  const sample = sampleFor(kind, 'https://reprise.test');
  const bare = Object.fromEntries(
    Object.entries(sample).map(([name, value]) => [name, sparse[name] ?? value]),
  );
  const samples = [sample, bare];
  const found: Partial<Record<keyof MailWords, string>> = {};
  for (const field of ['subject', 'htmlContent', 'textContent'] as const) {
    const complaint = await complaintAbout(field, words[field], kind, samples);
    if (complaint) found[field] = complaint;
  }
  if (Object.keys(found).length > 0) return found;
  for (const one of samples) {
    const { html, text } = await renderWords(words, one);
    if (typeof one.link !== 'string') continue;
    if (!html.includes(`href="${one.link}"`)) found.htmlContent = NO_LINK;
    if (!text.includes(one.link)) found.textContent = NO_LINK;
  }
  return found;
};
