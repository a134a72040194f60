import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';

/** A filter that is on or off. */
export const Chip = ({
  on,
  onClick,
  children,
}: {
  on: boolean;
  onClick: () => void;
  children: ReactNode;
}) => (
  <button type="button" className="chip" aria-pressed={on} onClick={onClick}>
    {children}
  </button>
);

/** A chip that is a link. `current` marks the page that is open. */
export const ChipLink = ({
  to,
  current,
  children,
}: {
  to: string;
  current?: boolean;
  children: ReactNode;
}) => (
  <Link to={to} className="chip" aria-current={current ? 'page' : undefined}>
    {children}
  </Link>
);

/** A group of chips: one line that scrolls on a phone, wrapped lines on wide screens. */
export const Chips = ({
  label,
  children,
  wrap,
}: {
  label: string;
  children: ReactNode;
  /** Wraps on a phone too. */
  wrap?: boolean;
}) => (
  <fieldset className="strip" data-wrap={wrap ? 'always' : ''} aria-label={label}>
    {children}
  </fieldset>
);
