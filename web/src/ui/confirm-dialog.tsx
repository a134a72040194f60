import { type ReactNode, useEffect, useRef } from 'react';
import { Row } from './box.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Text } from './text.tsx';

/** Asks before something is done that can't be undone, or that everybody sees. */
export const ConfirmDialog = ({
  title,
  children,
  confirm,
  refuse,
  busy = false,
  busyText,
  harmless,
  waits,
  onConfirm,
  onClose,
}: {
  title: string;
  /** What would happen. */
  children: ReactNode;
  /** The text of the button that does it: "Discard". */
  confirm: string;
  /** The text of the button that leaves things as they are: "Keep editing". */
  refuse: string;
  /** A request is running: the dialog can't be closed, and the button shows `busyText`. */
  busy?: boolean;
  busyText?: string;
  /** The button isn't red. */
  harmless?: boolean;
  /** What would happen isn't known yet, so nobody can say yes to it. */
  waits?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}) => {
  const safe = useRef<HTMLButtonElement>(null);
  // The safe button has the focus, so that a quick Enter does no harm.
  useEffect(() => safe.current?.focus(), []);
  return (
    <Dialog open onClose={onClose} title={title} width={460} locked={busy}>
      <Text tone="dim">{children}</Text>
      <Row gap="$12" justifyContent="flex-end" flexWrap="wrap">
        <Button kind="plain" onClick={onClose} disabled={busy} ref={safe}>
          {refuse}
        </Button>
        <Button
          kind={harmless ? 'primary' : 'danger'}
          disabled={waits}
          busy={busy}
          busyText={busyText}
          onClick={onConfirm}
        >
          {confirm}
        </Button>
      </Row>
    </Dialog>
  );
};
