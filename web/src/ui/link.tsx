import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';

export const TextLink = ({
  to,
  children,
  onClick,
}: {
  to: string;
  children: ReactNode;
  onClick?: () => void;
}) =>
  /^(https?:|mailto:|tel:)/.test(to) ? (
    <a className="link" href={to} onClick={onClick}>
      {children}
    </a>
  ) : (
    <Link className="link" to={to} onClick={onClick}>
      {children}
    </Link>
  );

export const TextButton = ({ children, onClick }: { children: ReactNode; onClick: () => void }) => (
  <button type="button" className="link" style={{ minHeight: 44 }} onClick={onClick}>
    {children}
  </button>
);
