import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';

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

export const Chips = ({ label, children, wrap }: { label: string; children: ReactNode; wrap?: boolean }) => (
  <fieldset className="strip" data-wrap={wrap ? 'always' : ''} aria-label={label}>
    {children}
  </fieldset>
);
