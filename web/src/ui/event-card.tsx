import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';

/** The frame of an event's card. A click anywhere on it opens the event. */
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

/** The card's title. Only the title is a link, so that screen readers find one link per card. */
export const CardLink = ({ to, children }: { to: string; children: ReactNode }) => (
  // The second half of a double click is meant for what was there before: "Show more".
  <Link to={to} onClick={(event) => event.detail > 1 && event.preventDefault()}>
    {children}
  </Link>
);

/** A tile that links to a category, lit in the category's colour. */
export const MoodTile = ({ to, hue, children }: { to: string; hue: string; children: ReactNode }) => (
  <Link to={to} className="mood" style={{ '--hue': `var(--${hue}, var(--paper))` } as React.CSSProperties}>
    {children}
  </Link>
);
