import { useMemo } from 'react';
import { sanitizeForPage } from './sanitize.ts';

/** Shows an event's description. The server has sanitized it by the same list; it is sanitized again here in case it came another way. */
export const RichText = ({ html }: { html: string }) => {
  const clean = useMemo(() => sanitizeForPage(html), [html]);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized on the server and by the line above.
  return <div className="prose" dangerouslySetInnerHTML={{ __html: clean }} />;
};
