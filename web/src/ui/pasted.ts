import { tablesAsLines } from '#domain/listing/table-lines.ts';
import { sanitize } from './sanitize.ts';

const MARKS: Readonly<Record<string, (style: CSSStyleDeclaration) => boolean>> = {
  b: ({ fontWeight }) => fontWeight === 'bold' || Number(fontWeight) >= 600,
  i: ({ fontStyle }) => fontStyle === 'italic',
  s: ({ textDecoration }) => textDecoration.includes('line-through'),
};

const mark = (span: HTMLElement): void => {
  for (const [tag, has] of Object.entries(MARKS)) {
    if (!has(span.style)) continue;
    const element = document.createElement(tag);
    element.append(...span.childNodes);
    span.append(element);
  }
};

const listItems = (body: HTMLElement): void => {
  for (const paragraph of body.querySelectorAll('p[style*="mso-list:"]')) {
    const sign = paragraph.querySelector('[style*="mso-list:Ignore"]');
    const tag = /^\w+[.)]/.test(sign?.textContent.trim() ?? '') ? 'ol' : 'ul';
    sign?.remove();
    const item = document.createElement('li');
    item.append(...paragraph.childNodes);
    const before = paragraph.previousElementSibling;
    if (before?.localName === tag) {
      before.append(item);
      paragraph.remove();
    } else {
      const list = document.createElement(tag);
      list.append(item);
      paragraph.replaceWith(list);
    }
  }
};

export const pastedMarkup = (html: string): string => {
  // A parsed document neither loads resources nor runs scripts.
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  // Google Docs wraps everything in a bold element with normal weight.
  for (const bold of body.querySelectorAll<HTMLElement>('b, strong'))
    if (/^(normal|400)$/.test(bold.style.fontWeight)) bold.replaceWith(...bold.childNodes);
  for (const span of body.querySelectorAll('span')) mark(span);
  listItems(body);
  return sanitize(tablesAsLines(body.innerHTML));
};
