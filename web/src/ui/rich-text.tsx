import type { SafeHtml } from '#domain/contracts/catalogue.ts';
import { lowerHeadings } from '#domain/listing/rich-text.ts';

export const RichText = ({ html }: { html: SafeHtml }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the server has sanitized it.
  <div className="prose" dangerouslySetInnerHTML={{ __html: lowerHeadings(html) }} />
);
