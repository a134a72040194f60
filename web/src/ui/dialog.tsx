import { type ReactNode, useEffect, useId, useRef } from 'react';
import { createPortal } from 'react-dom';
import { Box, Row } from './box.tsx';
import { IconButton } from './button.tsx';
import { Heading } from './text.tsx';
import { toastsMayMove } from './toast.tsx';

/**
 * A modal dialog: the browser's own, so that focus stays inside it, Escape closes it, the page behind is inert, and
 * focus returns to the element that opened it. On a phone it stands at the bottom of the screen. In the document it is nobody's child:
 * browsers stop what a form inside a form submits, before the page can hear of it.
 */
export const Dialog = ({
  open,
  onClose,
  title,
  children,
  width,
  locked,
}: {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** Pixels. */
  width?: number;
  /** Only its own buttons close it: a change is being saved, or what it shows is shown once. */
  locked?: boolean;
}) => {
  const ref = useRef<HTMLDialogElement>(null);
  const opener = useRef<Element | null>(null);
  /** Whether the last press began outside of it. A selection that ends there is a click on the backdrop, too, for browsers. */
  const isOutside = useRef(false);
  const titleId = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (!open || !dialog) return;
    opener.current = document.activeElement;
    dialog.showModal();
    toastsMayMove();
    return () => {
      dialog.close();
      toastsMayMove();
      if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus();
    };
  }, [open]);
  if (!open) return null;
  const leave = () => (locked ? undefined : onClose());
  return createPortal(
    <dialog
      ref={ref}
      className="dialog"
      aria-labelledby={titleId}
      style={width ? ({ '--dialog-width': `${width}px` } as React.CSSProperties) : undefined}
      // Chromium closes a dialog on a second Escape even if `cancel` is prevented, so the key itself is handled.
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.isDefaultPrevented()) return;
        event.preventDefault();
        leave();
      }}
      onCancel={(event) => {
        // Of a dialog over this one, or of a choice of files that was left.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        leave();
      }}
      // Where the key went past it, because what had the focus is disabled now, Chromium closes it all the same.
      onClose={() => {
        if (ref.current?.open !== false) return;
        ref.current.showModal();
        leave();
      }}
      onPointerDown={({ target }) => {
        isOutside.current = target === ref.current;
      }}
      // A click on the backdrop; not the second half of the double click that opened it.
      onClick={({ target, detail }) => {
        if (isOutside.current && target === ref.current && detail < 2) leave();
      }}
    >
      <Box padding="$24" gap="$20" $md={{ padding: '$32' }}>
        <Row justifyContent="space-between" gap="$16" alignItems="flex-start">
          <Heading id={titleId}>{title}</Heading>
          <Box marginTop={-8} marginRight={-8} flexShrink={0}>
            <IconButton icon="close" label="Close" onClick={leave} disabled={locked} />
          </Box>
        </Row>
        {children}
      </Box>
    </dialog>,
    document.body,
  );
};

/** The buttons at the end of a dialog; they stay in sight where it is so long that it scrolls. */
export const DialogButtons = ({ children }: { children: ReactNode }) => (
  <div className="dialog-buttons">{children}</div>
);
