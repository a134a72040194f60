import type { MouseEventHandler, ReactNode, Ref } from 'react';
import { Link } from 'react-router-dom';

/** The bar at the top of every page; stays while the page scrolls. */
export const TopBar = ({
  children,
  below,
  after,
}: {
  children: ReactNode;
  below?: ReactNode;
  /** Scrolls away with the page. */
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

/** A line in the bar, across the whole page, about something that concerns every page. */
export const TopNote = ({ children }: { children: ReactNode }) => (
  <div className="top-note">
    <div>{children}</div>
  </div>
);

/** Shown from this width on only. */
export const From = ({ width, children }: { width: 'tablet' | 'wide' | 'desktop'; children: ReactNode }) => (
  <div className={`from-${width}`}>{children}</div>
);
/** Shown below this width only. */
export const Below = ({ width, children }: { width: 'tablet' | 'wide' | 'desktop'; children: ReactNode }) => (
  <div className={`below-${width}`}>{children}</div>
);

/** A link of the bar's navigation. */
export const BarLink = ({ to, current, children }: { to: string; current: boolean; children: ReactNode }) => (
  <Link to={to} className="bar-link" aria-current={current ? 'page' : undefined}>
    {children}
  </Link>
);

/** The menu below the account's button. */
export const Menu = ({ children, id }: { children: ReactNode; id: string }) => (
  <ul className="menu" id={id}>
    {children}
  </ul>
);

/** An entry of the menu that leads to a page. */
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

/** An entry of the menu that does something. */
export const MenuButton = ({ children, onClick }: { children: ReactNode; onClick: () => void }) => (
  <li>
    <button type="button" className="menu-item" onClick={onClick}>
      {children}
    </button>
  </li>
);

/** A person's picture, or their initials. */
export const Picture = ({ imageUrl, initials }: { imageUrl: string | null; initials: string }) =>
  imageUrl ? <img src={imageUrl} alt="" width={44} height={44} referrerPolicy="no-referrer" /> : initials;

/** A person's picture, or their initials, as a button. */
export const Avatar = ({
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

/** A bar at the bottom of a phone's screen with the next step. Hidden on wide screens. */
export const ReachBar = ({ children }: { children: ReactNode }) => <div className="reach">{children}</div>;

/** A question above the page, until it is answered. It scrolls away with the page and covers nothing. */
export const TopQuestion = ({ children, label }: { children: ReactNode; label: string }) => (
  <section className="top-question" aria-label={label}>
    <div className="top-question-row">{children}</div>
  </section>
);
