import type { ReactNode } from 'react';
import type { Call, SentOf } from '#domain/contracts/call.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { type Change, useChange } from './change.ts';

/** Asks, then makes the call that deletes something, or does something else that can't be undone by the same button. It can't be closed while the call is running. */
export const RemoveDialog = <C extends Call>({
  call,
  change,
  body,
  title,
  confirm = 'Delete',
  refuse = 'Keep it',
  busyText = 'Deleting...',
  children,
  onClose,
}: {
  call: C;
  change: Change<C>;
  /** What is sent, for a call that takes something. */
  body?: SentOf<C>;
  /** "Delete Leeds?" */
  title: string;
  /** The texts of the buttons, and of the first one meanwhile, where nothing is deleted. */
  confirm?: string;
  refuse?: string;
  busyText?: string;
  /** What would happen. */
  children: ReactNode;
  onClose: () => void;
}) => {
  const remove = useChange(call, change);
  return (
    <ConfirmDialog
      {...{ title, confirm, refuse, busyText }}
      busy={remove.isPending}
      onConfirm={() => remove.mutate(body as SentOf<C>, { onSettled: onClose })}
      onClose={onClose}
    >
      {children}
    </ConfirmDialog>
  );
};
