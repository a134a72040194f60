import type { ReactNode, Ref } from 'react';

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
