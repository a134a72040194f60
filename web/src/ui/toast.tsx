import { type PointerEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { dismissToast, onToast, type ShownToast, shownToast } from '#web/lib/toast.ts';
import { Box, Row } from './box.tsx';
import { Button, IconButton } from './button.tsx';
import { Text } from './text.tsx';

const SHOWN_FOR = 5_000;
/** Pixels to the right that dismiss a toast. */
const SWIPE = 50;

/** An open dialog makes the rest of the page inert. */
const hostOf = (): HTMLElement =>
  [...document.querySelectorAll<HTMLElement>('dialog[open]')].at(-1) ?? document.body;

const ToastCard = ({ message, focused }: { message: ShownToast; focused: boolean }) => {
  const [pointed, setPointed] = useState(false);
  const [shift, setShift] = useState(0);
  const from = useRef<number | null>(null);
  const { id, duration = SHOWN_FOR, action } = message;
  useEffect(() => {
    if (pointed || focused) return;
    const timer = setTimeout(() => dismissToast(id), duration);
    return () => clearTimeout(timer);
  }, [id, duration, pointed, focused]);
  const moved = (event: PointerEvent) => {
    if (from.current !== null) setShift(Math.max(0, event.clientX - from.current));
  };
  const released = () => {
    if (shift >= SWIPE) dismissToast(id);
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
                dismissToast(id);
                action.run();
              }}
            >
              {action.label}
            </Button>
          </Row>
        ) : null}
      </Box>
      <IconButton icon="close" label="Dismiss notification" onClick={() => dismissToast(id)} />
    </div>
  );
};

/**
 * F8 focuses the toast; Escape, its button, a right swipe or the timeout dismiss it, and the focus returns.
 * Hover and focus pause the timer.
 */
export const Toasts = () => {
  const message = useSyncExternalStore(onToast, shownToast, () => undefined);
  const host = useSyncExternalStore(onToast, hostOf, () => undefined);
  const region = useRef<HTMLElement>(null);
  const [focused, setFocused] = useState(false);
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
    // Removing a focused button fires no blur event.
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
      const shown = shownToast();
      if (event.key === 'Escape' && shown && region.current?.contains(document.activeElement)) {
        event.preventDefault();
        dismissToast(shown.id);
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
