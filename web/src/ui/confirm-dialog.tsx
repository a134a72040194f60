import { type ReactNode, useEffect, useRef } from 'react';
import { Row } from './box.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Text } from './text.tsx';

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
  children: ReactNode;
  confirm: string;
  refuse: string;
  busy?: boolean;
  busyText?: string;
  harmless?: boolean;
  waits?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}) => {
  const safe = useRef<HTMLButtonElement>(null);
  // Focus the safe button, so that a quick Enter does no harm.
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
