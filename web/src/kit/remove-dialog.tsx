import type { ReactNode } from 'react';
import type { Call } from '#domain/contracts/call.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { type Change, useChange } from './change.ts';

/** Asks, then makes the call that deletes something. It can't be closed while the call is running. */
export const RemoveDialog = <C extends Call>({
  call,
  change,
  title,
  children,
  onClose,
}: {
  call: C;
  change: Change<C>;
  /** "Delete Leeds?" */
  title: string;
  /** What would happen. */
  children: ReactNode;
  onClose: () => void;
}) => {
  const remove = useChange(call, change);
  return (
    <ConfirmDialog
      title={title}
      confirm="Delete"
      refuse="Keep it"
      busy={remove.isPending}
      busyText="Deleting..."
      onConfirm={() => remove.mutate(undefined as never, { onSettled: onClose })}
      onClose={onClose}
    >
      {children}
    </ConfirmDialog>
  );
};
