import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { Link } from 'react-router-dom';
import { Icon, type IconName } from './icons.tsx';

interface Look {
  /** Use `primary` once per screen, for the next step. */
  readonly kind?: 'primary' | 'quiet' | 'outline' | 'plain' | 'danger';
  /** `compact` is for rows and list headers: 36 px high with a mouse, 44 px on touch screens. */
  readonly size?: 'compact' | 'small' | 'medium' | 'large';
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
  /** Shows `busyText` and a spinner and ignores presses, but keeps the keyboard focus. */
  readonly busy?: boolean;
  readonly busyText?: string;
  readonly ref?: Ref<HTMLButtonElement>;
}

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
    <span key={busy ? 'busy' : 'idle'} className="button-label">
      {busy && busyText ? busyText : children}
    </span>
  </button>
);

/** A link styled as a button. `reload` loads the page from the server instead of the client's router. */
export const ButtonLink = ({
  to,
  children,
  reload,
  onClick,
  'aria-label': label,
  ...rest
}: Look & {
  to: string;
  children: ReactNode;
  reload?: boolean;
  onClick?: () => void;
  'aria-label'?: string;
}) =>
  reload ? (
    <a href={to} onClick={onClick} aria-label={label} {...look(rest)}>
      {children}
    </a>
  ) : (
    <Link to={to} onClick={onClick} aria-label={label} {...look(rest)}>
      {children}
    </Link>
  );

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
