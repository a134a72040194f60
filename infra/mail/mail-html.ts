import sanitize from 'sanitize-html';
import { MAIL_TAGS, sanitizeMail } from '#infra/html/sanitize-html.ts';

const RULE = 'border-top:1px dashed #cfc6ba;';

/** Mail clients ignore stylesheets. */
const STYLES: Readonly<Record<string, string>> = {
  h1: 'margin:0 0 16px;font-size:26px;line-height:1.2;letter-spacing:-0.5px',
  h2: 'margin:24px 0 12px;font-size:20px;line-height:1.3',
  h3: 'margin:20px 0 8px;font-size:17px;line-height:1.3',
  p: 'margin:0 0 16px;font-size:16px;line-height:1.55',
  li: 'margin:0 0 8px;font-size:16px;line-height:1.55',
  hr: 'border:0;border-top:1px dashed #cfc6ba;margin:24px 0',
  said: 'margin:0 0 16px;padding:0 0 0 16px;border-left:3px solid #cfc6ba;font-size:16px;line-height:1.55;white-space:pre-line;overflow-wrap:anywhere',
  a: 'color:#0f0c14',
  img: 'max-width:100%;height:auto',
  table: 'margin:20px 0;background:#f8f5ef;border-radius:12px',
  th: 'padding:12px 8px 12px 18px;font-size:14px;font-weight:400;text-align:left;line-height:1.5;color:#5c5366',
  td: 'padding:12px 18px 12px 8px;font-size:16px;line-height:1.4;font-weight:600',
  button:
    'margin:8px 0;background:#d7ff3e;color:#14110a;text-decoration:none;font-weight:700;padding:15px 26px;border-radius:999px;display:inline-block',
};
const ATTRIBUTES: Readonly<Record<string, sanitize.Attributes>> = {
  table: { role: 'presentation', width: '100%', cellpadding: '0', cellspacing: '0' },
  th: { width: '64', valign: 'top' },
  td: { valign: 'top' },
};

export const dressMail = (html: string): string => {
  let rows = 0;
  return sanitize(sanitizeMail(html), {
    allowedTags: MAIL_TAGS,
    allowedAttributes: false,
    parseStyleAttributes: false,
    transformTags: {
      '*': (tagName, { class: name, style, ...attribs }) => {
        if (tagName === 'table') rows = 0;
        if (tagName === 'tr') rows++;
        const cell = tagName === 'th' || tagName === 'td';
        const dress = [
          cell && rows > 1 ? RULE : '',
          STYLES[name ?? tagName],
          style === undefined ? '' : `;${style}`,
        ].join('');
        return {
          tagName,
          attribs: { ...attribs, ...ATTRIBUTES[tagName], ...(dress && { style: dress }) },
        };
      },
    },
  });
};
