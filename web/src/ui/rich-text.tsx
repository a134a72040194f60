import { useMemo } from 'react';
import { sanitizeForPage } from './sanitize.ts';

/** An event's description. The server has sanitized it by the same list; this is the second lock on the door. */
export const RichText = ({ html }: { html: string }) => {
  const clean = useMemo(() => sanitizeForPage(html), [html]);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized on the server and by the line above.
  return <div className="prose" dangerouslySetInnerHTML={{ __html: clean }} />;
};
