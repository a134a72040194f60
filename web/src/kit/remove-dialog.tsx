import type { ReactNode } from 'react';
import type { Call, SentOf } from '#domain/contracts/call.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { type Change, useChange } from './change.ts';
import type { RowAction } from './list.tsx';

/** Asks, then makes the call that deletes something, or does something else that can't be undone by the same button. It can't be closed while the call is running. */
export const RemoveDialog = <C extends Call>({
  call,
  change,
  body,
  title,
  confirm = 'Delete',
  refuse = 'Keep it',
  busyText = 'Deleting...',
  harmless,
  waits,
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
  /** Nothing is lost by it, so that its button isn't red. */
  harmless?: boolean;
  /** What would happen isn't known yet, so nobody can say yes to it. */
  waits?: boolean;
  /** What would happen. */
  children: ReactNode;
  onClose: () => void;
}) => {
  const remove = useChange(call, change);
  return (
    <ConfirmDialog
      {...{ title, confirm, refuse, busyText, harmless, waits }}
      busy={remove.isPending}
      onConfirm={() => remove.mutate(body as SentOf<C>, { onSettled: onClose })}
      onClose={onClose}
    >
      {children}
    </ConfirmDialog>
  );
};

/** A row's button that deletes it, and the question before it. */
export const deleting = <C extends Call & { readonly path: `${string}/{id}` }>(
  call: C,
  {
    what,
    name,
    id,
    stale,
    failed = `Failed to delete ${what}`,
    text,
  }: {
    /** "city" */
    readonly what: string;
    /** "Leeds" */
    readonly name: string;
    readonly id: string | number;
    readonly failed?: string;
    /** What would happen. */
    readonly text: string;
  } & Pick<Change<C>, 'stale'>,
): RowAction => {
  const title = `${what.charAt(0).toUpperCase()}${what.slice(1)} deleted`;
  const done = () => ({ title, description: name });
  const change = { params: { id }, stale, done, failed } as unknown as Change<C>;
  return {
    words: 'Delete',
    label: `Delete ${name}`,
    open: (onClose) => (
      <RemoveDialog title={`Delete ${name}?`} {...{ call, change, onClose }}>
        {text}
      </RemoveDialog>
    ),
  };
};
