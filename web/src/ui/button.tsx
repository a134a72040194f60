import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { Link } from 'react-router-dom';
import { Icon, type IconName } from './icons.tsx';

interface Look {
  /** `primary` is what to do next: one on a screen. */
  readonly kind?: 'primary' | 'quiet' | 'outline' | 'plain' | 'danger';
  /** `compact` is for the rows and heads of lists: smaller under a pointer, as large as any under a thumb. */
  readonly size?: 'compact' | 'small' | 'medium' | 'large';
  /** Fills the width. */
  readonly wide?: boolean;
}

const look = ({ kind = 'quiet', size = 'medium', wide }: Look) => ({
  className: 'button',
  'data-kind': kind,
  'data-size': size,
  'data-wide': wide || undefined,
});

export interface ButtonProps
  extends Look,
    Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'style'> {
  /** A request is running: shows `busyText` beside a turning ring, and ignores presses. It keeps the keyboard's focus meanwhile. */
  readonly busy?: boolean;
  readonly busyText?: string;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A button that says what happens when it is pressed. */
export const Button = ({
  kind,
  size,
  wide,
  busy,
  busyText,
  disabled,
  children,
  type = 'button',
  onClick,
  ...rest
}: ButtonProps) => (
  <button
    type={type}
    disabled={disabled}
    aria-disabled={busy || undefined}
    aria-busy={busy || undefined}
    onClick={busy ? (event) => event.preventDefault() : onClick}
    {...look({ kind, size, wide })}
    {...rest}
  >
    {busy ? <span className="spin" aria-hidden="true" /> : null}
    {busy && busyText ? busyText : children}
  </button>
);

/** A link that looks like a button. `reload` leaves the client for a page of the server. */
export const ButtonLink = ({
  to,
  children,
  reload,
  onClick,
  ...rest
}: Look & { to: string; children: ReactNode; reload?: boolean; onClick?: () => void }) =>
  reload ? (
    <a href={to} onClick={onClick} {...look(rest)}>
      {children}
    </a>
  ) : (
    <Link to={to} onClick={onClick} {...look(rest)}>
      {children}
    </Link>
  );

/** A round button with a sign alone; `label` is its name. */
export const IconButton = ({
  icon,
  label,
  kind = 'plain',
  ...rest
}: { icon: IconName; label: string; kind?: Look['kind'] } & Omit<ButtonProps, 'kind' | 'children'>) => (
  <Button kind={kind} aria-label={label} data-icon="" {...rest}>
    <Icon name={icon} />
  </Button>
);
