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

/** A link in a row of chips; `current` is the page one is on. */
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

/** Chips side by side: a strip to swipe on a phone, lines on a desktop. */
export const Chips = ({
  label,
  children,
  wrap,
}: {
  label: string;
  children: ReactNode;
  /** In lines on a phone too. */
  wrap?: boolean;
}) => (
  <fieldset className="strip" data-wrap={wrap ? 'always' : ''} aria-label={label}>
    {children}
  </fieldset>
);
