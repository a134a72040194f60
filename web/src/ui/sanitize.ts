import createPurify from 'dompurify';
import { isSafeLink, LINK_ATTRIBUTES, RICH_TEXT, RICH_TEXT_STYLES } from '#domain/listing/rich-text.ts';

const safeStyle = (style: string): string =>
  style
    .split(';')
    .map((declaration) => declaration.split(':').map((part) => part.trim()))
    .filter(([name = '', value = '']) => RICH_TEXT_STYLES[name]?.test(value))
    .map((parts) => parts.join(':'))
    .join(';');

/** A separate instance, because hooks apply to every user of an instance. */
const purify = createPurify(window);
const LIST = {
  ALLOWED_TAGS: Object.keys(RICH_TEXT),
  ALLOWED_ATTR: [...new Set(Object.values(RICH_TEXT).flat())],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
};
purify.addHook('uponSanitizeAttribute', (element, attribute) => {
  const { attrName: name, attrValue: value } = attribute;
  if (name === 'style') attribute.attrValue = safeStyle(value);
  attribute.keepAttr =
    !!RICH_TEXT[element.localName]?.includes(name) &&
    attribute.attrValue !== '' &&
    (name !== 'href' || isSafeLink(value));
});
purify.addHook('afterSanitizeAttributes', (element) => {
  if (element.localName !== 'a') return;
  for (const [name, value] of Object.entries(LINK_ATTRIBUTES)) element.setAttribute(name, value);
});

/**
 * Removes everything not allowed by `domain/listing/rich-text.ts`, as the server does. Only for the editor, which shows pasted HTML
 * before the server has seen it.
 */
export const sanitize = (html: string): string => purify.sanitize(html, LIST);
