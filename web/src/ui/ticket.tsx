import type { ReactNode, Ref } from 'react';

/**
 * A panel in the shape of a ticket: notched where its stub is torn off, with a perforated edge. With `wide` the stub stands at the
 * right on wide screens.
 */
export const Ticket = ({
  children,
  stub,
  wide,
  label,
  ref,
}: {
  children: ReactNode;
  stub: ReactNode;
  wide?: boolean;
  label?: string;
  ref?: Ref<HTMLElement>;
}) => (
  <article ref={ref} className="ticket" data-wide={wide || undefined} aria-label={label}>
    <div className="ticket-main">{children}</div>
    <div className="ticket-stub">{stub}</div>
  </article>
);
