import type { ReactNode } from 'react';

/**
 * The house's motif: a ticket with a notch where its stub is torn off, and a perforated edge. `wide` lays the stub at the
 * right on a desktop.
 */
export const Ticket = ({
  children,
  stub,
  wide,
  label,
}: {
  children: ReactNode;
  stub: ReactNode;
  wide?: boolean;
  label?: string;
}) => (
  <article className="ticket" data-wide={wide || undefined} aria-label={label}>
    <div className="ticket-main">{children}</div>
    <div className="ticket-stub">{stub}</div>
  </article>
);
