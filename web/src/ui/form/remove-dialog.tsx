import type { ReactNode } from 'react';
import type { Call, SentOf } from '#domain/contracts/call.ts';
import { type Change, useChange } from '#web/lib/api/use-change.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import type { RowAction } from '#web/ui/list/list.tsx';

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
  body?: SentOf<C>;
  title: string;
  confirm?: string;
  refuse?: string;
  busyText?: string;
  harmless?: boolean;
  waits?: boolean;
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
    readonly what: string;
    readonly name: string;
    readonly id: string | number;
    readonly failed?: string;
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
