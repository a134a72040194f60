import { type ReactNode, useEffect, useId, useRef } from 'react';
import { createPortal } from 'react-dom';
import { toastsMayMove } from '#web/lib/toast.ts';
import { Box, Row } from './box.tsx';
import { IconButton } from './button.tsx';
import { Heading } from './text.tsx';

/** Rendered in a portal, because browsers block submit events of nested forms before the page receives them. */
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
  locked?: boolean;
}) => {
  const ref = useRef<HTMLDialogElement>(null);
  const opener = useRef<Element | null>(null);
  /** Browsers report a selection that ends on the backdrop as a click there. */
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
        // Bubbled from a nested dialog or a cancelled file picker.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        leave();
      }}
      // If the focused element was disabled, `keydown` never arrives and Chromium closes the dialog anyway;
      // reopen it.
      onClose={() => {
        if (ref.current?.open !== false) return;
        ref.current.showModal();
        leave();
      }}
      onPointerDown={({ target }) => {
        isOutside.current = target === ref.current;
      }}
      // A click on the backdrop, but not the second click of the double click that opened the dialog.
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

export const DialogButtons = ({ children }: { children: ReactNode }) => (
  <div className="dialog-buttons">{children}</div>
);
