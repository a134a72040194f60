import { useMemo } from 'react';
import { sanitizeForPage } from './sanitize.ts';

/** The server has already sanitised the HTML; it is sanitised again in case it came another way. */
export const RichText = ({ html }: { html: string }) => {
  const clean = useMemo(() => sanitizeForPage(html), [html]);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized on the server and by the line above.
  return <div className="prose" dangerouslySetInnerHTML={{ __html: clean }} />;
};
