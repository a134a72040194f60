import { tablesAsLines } from '#domain/listing/table-lines.ts';
import { sanitize } from './sanitize.ts';

/** The elements of the toolbar's formats that Google Docs gives as styles. */
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

/** Makes list items of Word's paragraphs, which are a list by their style alone and have the bullet or the number in their text. */
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

/** Copied HTML as the editor's own markup. */
export const pastedMarkup = (html: string): string => {
  // A document that loads and runs nothing.
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  // Google Docs puts everything into a bold element that is not bold.
  for (const bold of body.querySelectorAll<HTMLElement>('b, strong'))
    if (/^(normal|400)$/.test(bold.style.fontWeight)) bold.replaceWith(...bold.childNodes);
  for (const span of body.querySelectorAll('span')) mark(span);
  listItems(body);
  return sanitize(tablesAsLines(body.innerHTML));
};
