import { type PointerEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { Box, Row } from './box.tsx';
import { Button, IconButton } from './button.tsx';
import { Text } from './text.tsx';

export interface Toast {
  readonly title: string;
  readonly description?: string;
  readonly variant?: 'default' | 'destructive';
  readonly action?: { readonly label: string; readonly run: () => void };
  /** Milliseconds on the screen; 5,000 unless told. */
  readonly duration?: number;
}

const SHOWN_FOR = 5_000;
/** Swiped this far to the right, in pixels, a toast goes. */
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
const hostOf = (): Element => [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
/** Tells the toasts that a dialog opened or closed. */
export const toastsMayMove = (): void => {
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Shows a toast; the one before it goes. */
export const toast = (message: Toast): void => {
  last += 1;
  show({ ...message, id: last });
};
/** A toast that says something went wrong. */
export const complain = (title: string, description?: string): void =>
  toast({ title, description, variant: 'destructive' });

/** Takes away the toast on the screen: what it said no longer holds. */
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
 * Where toasts appear: one at a time, read out by screen readers, focused by F8, gone after its time (which stands still
 * while it is pointed at or focused, and then the focus goes back), by Escape, by its button, or swiped to the right.
 */
export const Toasts = () => {
  const message = useSyncExternalStore(subscribe, () => shown);
  const host = useSyncExternalStore(subscribe, hostOf);
  const region = useRef<HTMLElement>(null);
  const [focused, setFocused] = useState(false);
  /** Where the keyboard was before F8, and goes back to once the toast is gone. */
  const before = useRef<HTMLElement | null>(null);
  const shownId = message?.id;
  useEffect(() => {
    const active = document.activeElement;
    const inside = !!region.current?.contains(active);
    // A button that vanishes with its toast takes the focus with it, and tells nobody.
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
        // The dialog that the toast lies in stays.
        event.preventDefault();
        dismiss(shown.id);
      }
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
  return createPortal(
    <section
      ref={region}
      className="toasts"
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
