import { useMemo } from 'react';

/** What a description may hold. The server has sanitized it by the same list; this is the second lock on the door. */
const ALLOWED = new Set([
  'P',
  'BR',
  'H1',
  'H2',
  'H3',
  'H4',
  'STRONG',
  'B',
  'EM',
  'I',
  'U',
  'S',
  'UL',
  'OL',
  'LI',
  'A',
  'BLOCKQUOTE',
  'DIV',
  'SPAN',
]);
/** Goes with all that is in it. */
const BANNED = new Set([
  'SCRIPT',
  'STYLE',
  'IFRAME',
  'OBJECT',
  'EMBED',
  'TEMPLATE',
  'NOSCRIPT',
  'SVG',
  'MATH',
  'FORM',
]);
const DEMOTED: Record<string, string> = { H1: 'h2', H2: 'h3', H3: 'h4', H4: 'h4' };

const copy = (from: Node, to: Node): void => {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) {
      to.appendChild(document.createTextNode(node.textContent ?? ''));
    } else if (node instanceof Element && !BANNED.has(node.tagName.toUpperCase())) {
      if (!ALLOWED.has(node.tagName)) {
        copy(node, to);
        continue;
      }
      const element = document.createElement(DEMOTED[node.tagName] ?? node.tagName);
      const href = node.tagName === 'A' ? node.getAttribute('href') : null;
      if (href && /^(https?:|mailto:)/i.test(href)) {
        element.setAttribute('href', href);
        element.setAttribute('rel', 'noopener noreferrer nofollow');
      }
      copy(node, element);
      to.appendChild(element);
    }
  }
};

/** HTML with nothing in it but text, its shape and links. */
export const sanitize = (html: string): string => {
  const clean = document.createElement('div');
  copy(new DOMParser().parseFromString(html, 'text/html').body, clean);
  return clean.innerHTML;
};

/** An event's description. */
export const RichText = ({ html }: { html: string }) => {
  const clean = useMemo(() => sanitize(html), [html]);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized on the server and by the line above.
  return <div className="prose" dangerouslySetInnerHTML={{ __html: clean }} />;
};
