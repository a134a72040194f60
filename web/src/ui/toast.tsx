import { type PointerEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { Box, Row } from './box.tsx';
import { Button, IconButton } from './button.tsx';
import { Text } from './text.tsx';

/** A message that goes by itself. */
export interface Toast {
  readonly title: string;
  readonly description?: string;
  readonly variant?: 'default' | 'destructive';
  readonly action?: { readonly label: string; readonly run: () => void };
  /** How long it stays, in milliseconds. Default: 5,000. */
  readonly duration?: number;
}

const SHOWN_FOR = 5_000;
/** A toast that is swiped this far to the right is dismissed. Pixels. */
const SWIPE = 50;

interface Shown extends Toast {
  readonly id: number;
}
let shown: Shown | undefined;
let last = 0;
const listeners = new Set<() => void>();
const show = (next: Shown | undefined) => {
  shown = next;
  for (const listener of listeners) listener();
};
/** An open dialog makes the rest of the page inert, so toasts appear inside it. */
const hostOf = (): HTMLElement =>
  [...document.querySelectorAll<HTMLElement>('dialog[open]')].at(-1) ?? document.body;
/** Has to be called after a dialog opened or closed, so that the toasts move into or out of it. */
export const toastsMayMove = (): void => {
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Shows a toast in place of the one before it. */
export const toast = (message: Toast): void => {
  last += 1;
  show({ ...message, id: last });
};
/** Shows a toast that says that something went wrong. */
export const complain = (title: string, description?: string): void =>
  toast({ title, description, variant: 'destructive' });

/** Removes the toast on the screen, when what it says is no longer true. */
export const hushToast = (): void => show(undefined);

const dismiss = (id: number) => {
  if (shown?.id === id) show(undefined);
};

const ToastCard = ({ message, focused }: { message: Shown; focused: boolean }) => {
  const [pointed, setPointed] = useState(false);
  const [shift, setShift] = useState(0);
  const from = useRef<number | null>(null);
  const { id, duration = SHOWN_FOR, action } = message;
  useEffect(() => {
    if (pointed || focused) return;
    const timer = setTimeout(() => dismiss(id), duration);
    return () => clearTimeout(timer);
  }, [id, duration, pointed, focused]);
  const moved = (event: PointerEvent) => {
    if (from.current !== null) setShift(Math.max(0, event.clientX - from.current));
  };
  const released = () => {
    if (shift >= SWIPE) dismiss(id);
    from.current = null;
    setShift(0);
  };
  return (
    <div
      className="toast"
      data-variant={message.variant ?? 'default'}
      style={shift ? { transform: `translateX(${shift}px)`, opacity: 1 - shift / 240 } : undefined}
      onPointerDown={(event) => {
        if (!(event.target as Element).closest('button')) from.current = event.clientX;
      }}
      onPointerMove={moved}
      onPointerUp={released}
      onPointerCancel={released}
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => {
        setPointed(false);
        released();
      }}
    >
      <Box flex={1} gap="$4" paddingTop={9}>
        <Text strong>{message.title}</Text>
        {message.description ? <Text size="small">{message.description}</Text> : null}
        {action ? (
          <Row marginTop="$12">
            <Button
              kind="outline"
              size="small"
              onClick={() => {
                dismiss(id);
                action.run();
              }}
            >
              {action.label}
            </Button>
          </Row>
        ) : null}
      </Box>
      <IconButton icon="close" label="Dismiss notification" onClick={() => dismiss(id)} />
    </div>
  );
};

/**
 * Shows one toast at a time. Screen readers read it out, F8 focuses it. It is dismissed by Escape, by its button, by a swipe to the
 * right, or when its time is over; the time stops while the toast is hovered or focused. The focus then goes back to where it was.
 */
export const Toasts = () => {
  const message = useSyncExternalStore(
    subscribe,
    () => shown,
    () => undefined,
  );
  const host = useSyncExternalStore(subscribe, hostOf, () => undefined);
  const region = useRef<HTMLElement>(null);
  const [focused, setFocused] = useState(false);
  /** The element that had the focus before F8. It gets it back when the toast is dismissed. */
  const before = useRef<HTMLElement | null>(null);
  const shownId = message?.id;
  // In the top layer toasts have their place in the window, also those inside a dialog, whose buttons they would cover else.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with another host it is another element
  useEffect(() => region.current?.showPopover?.(), [host]);
  // How far the toast reaches into the dialog from above; on a phone the dialog's title gives way.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another toast has another height
  useEffect(() => {
    if (!host) return;
    const bottom = region.current?.getBoundingClientRect().bottom ?? 0;
    host.style.setProperty('--toast-reach', `${bottom - host.getBoundingClientRect().top}px`);
  }, [host, shownId]);
  useEffect(() => {
    const active = document.activeElement;
    const inside = !!region.current?.contains(active);
    // A focused button that is removed with its toast sends no blur event, so the focus is looked up.
    setFocused(inside);
    if (shownId !== undefined) return;
    if (inside || active === document.body) before.current?.focus();
    before.current = null;
  }, [shownId]);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key === 'F8') {
        event.preventDefault();
        const active = document.activeElement;
        if (active instanceof HTMLElement && !region.current?.contains(active)) before.current = active;
        region.current?.focus();
      }
      if (event.key === 'Escape' && shown && region.current?.contains(document.activeElement)) {
        // Escape closes only the toast, not the dialog around it.
        event.preventDefault();
        dismiss(shown.id);
      }
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
  if (!host) return null;
  return createPortal(
    <section
      ref={region}
      className="toasts"
      popover="manual"
      tabIndex={-1}
      aria-label="Notifications (F8)"
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <div
        role={message?.variant === 'destructive' ? 'alert' : 'status'}
        aria-live={message?.variant === 'destructive' ? 'assertive' : 'polite'}
        aria-atomic="true"
        style={{ display: 'contents' }}
      >
        {message ? <ToastCard key={message.id} message={message} focused={focused} /> : null}
      </div>
    </section>,
    host,
  );
};
