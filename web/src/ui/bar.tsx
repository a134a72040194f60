import type { MouseEventHandler, ReactNode, Ref } from 'react';
import { Link } from 'react-router-dom';

export const TopBar = ({
  children,
  below,
  after,
}: {
  children: ReactNode;
  below?: ReactNode;
  after?: ReactNode;
}) => (
  <>
    <header className="top">
      <div className="top-row">{children}</div>
      {below}
    </header>
    {after}
  </>
);

export const TopNote = ({ children }: { children: ReactNode }) => (
  <div className="top-note">
    <div>{children}</div>
  </div>
);

export const From = ({ width, children }: { width: 'tablet' | 'wide' | 'desktop'; children: ReactNode }) => (
  <div className={`from-${width}`}>{children}</div>
);
export const Below = ({ width, children }: { width: 'tablet' | 'wide' | 'desktop'; children: ReactNode }) => (
  <div className={`below-${width}`}>{children}</div>
);

export const BarLink = ({ to, current, children }: { to: string; current: boolean; children: ReactNode }) => (
  <Link to={to} className="bar-link" aria-current={current ? 'page' : undefined}>
    {children}
  </Link>
);

export const Menu = ({ children, id }: { children: ReactNode; id: string }) => (
  <ul className="menu" id={id}>
    {children}
  </ul>
);

export const MenuLink = ({
  to,
  children,
  onClick,
}: {
  to: string;
  children: ReactNode;
  onClick: () => void;
}) => (
  <li>
    <Link to={to} className="menu-item" onClick={onClick}>
      {children}
    </Link>
  </li>
);

export const MenuButton = ({ children, onClick }: { children: ReactNode; onClick: () => void }) => (
  <li>
    <button type="button" className="menu-item" onClick={onClick}>
      {children}
    </button>
  </li>
);

export const Picture = ({ imageUrl, initials }: { imageUrl: string | null; initials: string }) =>
  imageUrl ? <img src={imageUrl} alt="" width={44} height={44} referrerPolicy="no-referrer" /> : initials;

export const AvatarButton = ({
  label,
  initials,
  imageUrl,
  ...button
}: {
  label: string;
  initials: string;
  imageUrl: string | null;
  onClick: MouseEventHandler;
  'aria-expanded': boolean;
  'aria-controls': string;
  ref?: Ref<HTMLButtonElement>;
}) => (
  <button type="button" className="avatar" aria-label={label} {...button}>
    <Picture {...{ imageUrl, initials }} />
  </button>
);

export const ReachBar = ({ children }: { children: ReactNode }) => <div className="reach">{children}</div>;

export const TopQuestion = ({ children, label }: { children: ReactNode; label: string }) => (
  <section className="top-question" aria-label={label}>
    <div className="top-question-row">{children}</div>
  </section>
);
