import { type FormEvent, useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';

/** The first problem of each field, by the field's name. It is empty where a field before has the same one, which is said once. */
export type Problems = Partial<Record<string, string>>;

/** The result of checking a form: the value to send, or the problems of its fields. */
export type Checked<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problems: Problems };

/** Checks a form with a contract's schema. A nested field's problem stands under `outer.inner`, as the server has it. */
export const check = <Schema extends z.ZodMiniType>(
  schema: Schema,
  form: unknown,
): Checked<z.output<Schema>> => {
  const result = z.safeParse(schema, form);
  if (result.success) return { ok: true, value: result.data };
  const problems: Problems = {};
  for (const { path, message } of result.error.issues)
    problems[path.join('.')] ??= Object.values(problems).includes(message) ? '' : message;
  return { ok: false, problems };
};

/** The names of a form's fields that hold text. */
type TextOf<Form> = { [Name in keyof Form & string]: Form[Name] extends string ? Name : never }[keyof Form &
  string];

/**
 * The state of a form: the values of its fields and their problems. When it is submitted it is checked. Then either it is sent, or the
 * problems are shown at their fields and the first of these gets the focus.
 *
 * @example const { submit, field } = useForm({ email: '' }, (form) => check(loginRequest, form), login.mutate);
 */
export const useForm = <Form extends object, Value>(
  blank: Form,
  checked: (form: Form) => Checked<Value>,
  send: (value: Value) => void,
) => {
  const [form, setForm] = useState(blank);
  const [problems, setProblems] = useState<Problems>({});
  const submitted = useRef<HTMLFormElement>(null);
  /** Whether the first problem is to get the focus: it was just found, and nobody has typed since. */
  const found = useRef(false);
  // In an effect: the problems must be on the page before a field is looked for.
  useEffect(() => {
    if (!found.current) return;
    found.current = false;
    if (Object.keys(problems).length > 0)
      submitted.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);
  const refuse = (problems: Problems): void => {
    found.current = true;
    setProblems(problems);
  };
  /** A field that is changed is no longer complained of. */
  const change = (changed: Partial<Form>): void => {
    setForm((before) => ({ ...before, ...changed }));
    setProblems((before) => {
      const left = Object.entries(before).filter(([name]) => !(name in changed));
      return left.length < Object.keys(before).length ? Object.fromEntries(left) : before;
    });
  };
  return {
    form,
    /** Changes several fields, or fields that are not text. */
    change,
    /** Shows problems that the server has found. */
    refuse,
    /** The props of a text field. It has the specification's name, which password managers and scripts know it by. */
    field: (name: TextOf<Form>) => ({
      name: name as string,
      value: String(form[name]),
      error: problems[name],
      onChange: ({ target: { value } }: { readonly target: { readonly value: string } }): void =>
        change({ [name]: value } as object as Partial<Form>),
    }),
    submit: (event: FormEvent<HTMLFormElement>): void => {
      event.preventDefault();
      // A dialog over a form is inside it for React: what is submitted there must not submit the form too.
      event.stopPropagation();
      submitted.current = event.currentTarget;
      const outcome = checked(form);
      if (outcome.ok) {
        setProblems({});
        send(outcome.value);
      } else refuse(outcome.problems);
    },
  };
};
