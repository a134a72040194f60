import { type ReactNode, useEffect, useRef, useState } from 'react';
import { fieldsOf } from '#web/lib/api/client.ts';
import { forgetDraft, keepDraft, keptDraft } from '#web/lib/draft.ts';
import { ApiError, failureOf, hasCode, isConflict } from '#web/lib/failure.ts';
import { type Checked, useForm } from '#web/lib/formatters/form.ts';
import { Box } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { Text } from '#web/ui/text.tsx';
import { ChangedMeanwhile } from './changed-meanwhile.tsx';

export type FormParts<Form extends object> = Pick<
  ReturnType<typeof useForm<Form, unknown>>,
  'form' | 'change' | 'field'
>;

interface Change<Sent> {
  readonly draft: string;
  readonly isPending: boolean;
  readonly mutate: (
    sent: Sent,
    then: { readonly onSuccess: () => void; readonly onError: (error: unknown) => void },
  ) => void;
}

/** Locked while saving; asks before discarding input. A `revision` field enables conflict detection. */
export const FormDialog = <Form extends object, Sent, Edited = never>({
  title,
  blank,
  reopen,
  check,
  change,
  submit,
  busyText,
  danger,
  waits,
  endsAtConflict,
  width,
  onClose,
  children,
}: {
  title: string;
  blank: Form;
  reopen?: (current: Edited) => Form;
  check: (form: Form) => Checked<Sent>;
  change: Change<Sent>;
  submit: string;
  busyText: string;
  danger?: boolean;
  waits?: boolean;
  /** Closes on a conflict, because the decision was based on the data shown. The input is kept. */
  endsAtConflict?: boolean;
  /** Pixels. */
  width?: number;
  onClose: () => void;
  children: (parts: FormParts<Form>) => ReactNode;
}) => {
  const [leaving, setLeaving] = useState(false);
  const [unsure, setUnsure] = useState(false);
  const [conflict, setConflict] = useState<{ readonly sent: Sent; readonly refusal: ApiError['body'] }>();
  const [opened, setOpened] = useState(blank);
  const name = change.draft;
  const [{ first, isKept }] = useState(() => {
    const first = name ? keptDraft(name, blank) : blank;
    // Evaluated once: a later `blank` may be an equal but different object.
    return { first, isKept: first !== blank };
  });
  const close = () => {
    if (name) forgetDraft(name);
    onClose();
  };
  const send = (sent: Sent): void =>
    change.mutate(sent, {
      onSuccess: close,
      onError: (error) => {
        if (error instanceof ApiError && hasCode(error, 'CHANGED_MEANWHILE'))
          setConflict({ sent, refusal: error.body });
        const failure = failureOf(error);
        setUnsure((before) => failure === 'unknown' || (failure === 'not-sent' && before));
        refuse(fieldsOf(error));
        if (endsAtConflict && isConflict(error)) onClose();
      },
    });
  const { refuse, submit: onSubmit, ...parts } = useForm(first, check, send);
  const fields = useRef<HTMLFormElement>(null);
  // On touch screens, focusing would open a keyboard over half of the form.
  useEffect(() => {
    if (!matchMedia('(pointer: fine)').matches) return;
    fields.current?.querySelector<HTMLElement>('input, select, textarea, [contenteditable]')?.focus();
  }, []);
  const isTyped = (Object.keys(blank) as (keyof Form)[]).some((name) => parts.form[name] !== opened[name]);
  const wasTyped = useRef(false);
  useEffect(() => {
    wasTyped.current ||= isTyped;
    // Also store reverted input, or the older version would return.
    if (name && wasTyped.current) keepDraft(name, parts.form);
  }, [name, isTyped, parts.form]);
  const leave = () => (isTyped ? setLeaving(true) : close());
  return (
    <Dialog open onClose={leave} title={title} width={width} locked={change.isPending}>
      <form ref={fields} onSubmit={onSubmit} noValidate>
        <Box gap="$20">
          {isKept ? (
            <Text size="small" tone="dim" role="status">
              This is what you had typed before.
            </Text>
          ) : null}
          {children(parts)}
          <DialogButtons>
            <Button kind="plain" onClick={leave} disabled={change.isPending}>
              Cancel
            </Button>
            <Button
              kind={danger ? 'danger' : 'primary'}
              type="submit"
              disabled={waits}
              busy={change.isPending}
              busyText={busyText}
            >
              {submit}
            </Button>
          </DialogButtons>
        </Box>
      </form>
      {conflict ? (
        <ChangedMeanwhile
          refusal={conflict.refusal}
          onLoad={() => {
            setConflict(undefined);
            const theirs = reopen?.(conflict.refusal.current as Edited);
            if (!theirs) return;
            setOpened(theirs);
            parts.change(theirs);
          }}
          onKeep={() => {
            setConflict(undefined);
            const revision = conflict.refusal.current?.revision;
            parts.change({ revision } as object as Partial<Form>);
            send({ ...conflict.sent, revision });
          }}
          onClose={() => setConflict(undefined)}
        />
      ) : null}
      {leaving ? (
        <ConfirmDialog
          title="Discard what you typed?"
          confirm="Discard"
          refuse="Keep editing"
          onConfirm={close}
          onClose={() => setLeaving(false)}
        >
          {unsure ? 'No answer came, so it may have been saved.' : 'Nothing of it has been saved.'}
        </ConfirmDialog>
      ) : null}
    </Dialog>
  );
};
