import { type ReactNode, useEffect, useRef, useState } from 'react';
import { fieldsOf } from '../api/client.ts';
import { failureOf } from '../api/failure.ts';
import { Box, Row } from '../ui/box.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { type Checked, useForm } from '../words/form.ts';

/** What a form's fields get from `useForm`. */
export type FormParts<Form extends object> = Pick<
  ReturnType<typeof useForm<Form, unknown>>,
  'form' | 'change' | 'field'
>;

/** The part of `useChange`'s result that a form needs. */
interface Change<Sent> {
  readonly isPending: boolean;
  readonly mutate: (
    sent: Sent,
    then: { readonly onSuccess: () => void; readonly onError: (error: unknown) => void },
  ) => void;
}

/**
 * A form in a dialog. `check` validates it on submit; the server's field errors show at their fields. It can't be closed while it is
 * being saved, and asks before it discards what was typed.
 */
export const FormDialog = <Form extends object, Sent>({
  title,
  blank,
  check,
  change,
  submit,
  busyText,
  danger,
  width,
  onClose,
  children,
}: {
  title: string;
  /** The fields' first values. */
  blank: Form;
  check: (form: Form) => Checked<Sent>;
  change: Change<Sent>;
  /** The text of the submit button: "Create Event". */
  submit: string;
  busyText: string;
  /** The submit button is red, because it takes something away. */
  danger?: boolean;
  /** Pixels. */
  width?: number;
  onClose: () => void;
  children: (parts: FormParts<Form>) => ReactNode;
}) => {
  const [leaving, setLeaving] = useState(false);
  /** No answer came when it was saved, so that it may have been. */
  const [unsure, setUnsure] = useState(false);
  const {
    refuse,
    submit: onSubmit,
    ...parts
  } = useForm(blank, check, (sent: Sent) =>
    change.mutate(sent, {
      onSuccess: onClose,
      onError: (error) => {
        const failure = failureOf(error);
        setUnsure((before) => failure === 'unknown' || (failure === 'not-sent' && before));
        refuse(fieldsOf(error));
      },
    }),
  );
  const fields = useRef<HTMLFormElement>(null);
  // On touch screens the focus would open a keyboard over half of the form.
  useEffect(() => {
    if (!matchMedia('(pointer: fine)').matches) return;
    fields.current?.querySelector<HTMLElement>('input, select, textarea, [contenteditable]')?.focus();
  }, []);
  const isTyped = (Object.keys(blank) as (keyof Form)[]).some((name) => parts.form[name] !== blank[name]);
  const leave = () => (isTyped ? setLeaving(true) : onClose());
  return (
    <Dialog open onClose={leave} title={title} width={width} locked={change.isPending}>
      <form ref={fields} onSubmit={onSubmit} noValidate>
        <Box gap="$20">
          {children(parts)}
          <Row gap="$12" justifyContent="flex-end" flexWrap="wrap">
            <Button kind="plain" onClick={leave} disabled={change.isPending}>
              Cancel
            </Button>
            <Button
              kind={danger ? 'danger' : 'primary'}
              type="submit"
              busy={change.isPending}
              busyText={busyText}
            >
              {submit}
            </Button>
          </Row>
        </Box>
      </form>
      {leaving ? (
        <ConfirmDialog
          title="Discard what you typed?"
          confirm="Discard"
          refuse="Keep editing"
          onConfirm={onClose}
          onClose={() => setLeaving(false)}
        >
          {unsure ? 'No answer came, so it may have been saved.' : 'Nothing of it has been saved.'}
        </ConfirmDialog>
      ) : null}
    </Dialog>
  );
};
