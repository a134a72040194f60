import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';

export const CardFrame = ({
  children,
  compact,
  lead,
}: {
  children: ReactNode;
  compact?: boolean;
  lead?: boolean;
}) => (
  <article className="event-card" data-compact={compact || undefined} data-lead={lead || undefined}>
    {children}
  </article>
);

export const CardLink = ({ to, children }: { to: string; children: ReactNode }) => (
  // The second click of a double click was meant for "Show more", which the card replaced.
  <Link to={to} onClick={(event) => event.detail > 1 && event.preventDefault()}>
    {children}
  </Link>
);

export const MoodTile = ({ to, hue, children }: { to: string; hue: string; children: ReactNode }) => (
  <Link to={to} className="mood" style={{ '--hue': `var(--${hue}, var(--paper))` } as React.CSSProperties}>
    {children}
  </Link>
);
