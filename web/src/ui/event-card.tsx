import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';

/** The frame of an event's card: the whole of it leads to the event. */
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

/** The card's title; it carries the link, so that screen readers meet one link a card. */
export const CardLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link to={to}>{children}</Link>
);

/** A tile of a mood: a hue's light in a dark corner. */
export const MoodTile = ({ to, hue, children }: { to: string; hue: string; children: ReactNode }) => (
  <Link to={to} className="mood" style={{ '--hue': `var(--${hue}, var(--paper))` } as React.CSSProperties}>
    {children}
  </Link>
);
