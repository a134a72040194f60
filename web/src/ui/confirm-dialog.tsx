import { type ReactNode, useEffect, useRef } from 'react';
import { Row } from './box.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Text } from './text.tsx';

/** Asks before something is done that can't be taken back. */
export const ConfirmDialog = ({
  title,
  children,
  confirm,
  refuse,
  busy = false,
  busyText,
  onConfirm,
  onClose,
}: {
  title: string;
  /** What it would mean. */
  children: ReactNode;
  /** What the button says that does it: "Discard". */
  confirm: string;
  /** What the button says that doesn't: "Keep editing". */
  refuse: string;
  /** It is being done: the dialog can't be closed now, and the button says so. */
  busy?: boolean;
  busyText?: string;
  onConfirm: () => void;
  onClose: () => void;
}) => {
  const safe = useRef<HTMLButtonElement>(null);
  // Whoever presses Enter without reading loses nothing.
  useEffect(() => safe.current?.focus(), []);
  return (
    <Dialog open onClose={onClose} title={title} width={420} locked={busy}>
      <Text tone="dim">{children}</Text>
      <Row gap="$12" justifyContent="flex-end" flexWrap="wrap">
        <Button kind="plain" onClick={onClose} disabled={busy} ref={safe}>
          {refuse}
        </Button>
        <Button kind="danger" busy={busy} busyText={busyText} onClick={onConfirm}>
          {confirm}
        </Button>
      </Row>
    </Dialog>
  );
};
