import { readFileSync } from 'node:fs';
import type { MailWords } from '#domain/content/events.ts';
import type { SiteMail } from '#domain/content/site-mails.ts';

const LINK = /^\[(.+)\]\((.+)\)$/;
const FACT = /^\| (.+?) \| (.+)$/;

/**
 * `[Label]({{ url }})` is a link, or a button if `next`; lines `| Name | {{ value }}` are a table; `> {{
 * words }}` is a quotation that keeps its line breaks. Text in braces is Liquid's: not escaped.
 */
const paragraphOf = (source: string, next: boolean): { readonly html: string; readonly text: string } => {
  const facts = source.split('\n').flatMap((line) => {
    const [, name = '', value = ''] = FACT.exec(line.trim()) ?? [];
    return name ? [{ name, value }] : [];
  });
  if (facts.length > 0)
    return {
      html: [
        '<table>',
        ...facts.map(({ name, value }) => `<tr><th>${name}</th><td>${value}</td></tr>`),
        '</table>',
      ].join('\n'),
      text: facts.map(({ name, value }) => `${name}: ${value}`).join('\n'),
    };
  if (source.startsWith('> ')) {
    const said = source.slice(2);
    return { html: `<blockquote class="said">${said}</blockquote>`, text: said };
  }
  const words = source.replace(/\s*\n\s*/g, ' ');
  const [, label, url] = LINK.exec(words) ?? [];
  return label && url
    ? {
        html: `<p><a ${next ? 'class="button" ' : ''}href="${url}">${label}</a></p>`,
        text: `${label}: ${url}`,
      }
    : { html: `<p>${words}</p>`, text: words };
};

const parse = (file: string): MailWords => {
  const [subject = '', heading = '', body = ''] = file.split(/^---$/m).map((part) => part.trim());
  const sources = body.split(/\n\s*\n/).map((source) => source.trim());
  const next = sources.findIndex((source) => LINK.test(source));
  const paragraphs = sources.map((source, index) => paragraphOf(source, index === next));
  return {
    subject,
    htmlContent: [`<h1>${heading}</h1>`, ...paragraphs.map(({ html }) => html)].join('\n'),
    textContent: [heading, ...paragraphs.map(({ text }) => text)].join('\n\n'),
  };
};

const known = new Map<SiteMail, MailWords>();

export const defaultWords = (kind: SiteMail): MailWords => {
  const file = new URL(`./templates/${kind}.liquid`, import.meta.url);
  const words = known.get(kind) ?? parse(readFileSync(file, 'utf8'));
  known.set(kind, words);
  return words;
};
