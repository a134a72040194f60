import { type FormEvent, useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';

/** The first complaint about each field, by its name. */
export type Problems = Partial<Record<string, string>>;

/** What a form comes to: what it sends, or what is wrong with which field. */
export type Checked<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problems: Problems };

/** Checks a form by its contract. */
export const check = <Schema extends z.ZodMiniType>(
  schema: Schema,
  form: unknown,
): Checked<z.output<Schema>> => {
  const result = z.safeParse(schema, form);
  if (result.success) return { ok: true, value: result.data };
  const problems: Problems = {};
  for (const issue of result.error.issues) problems[String(issue.path[0] ?? '')] ??= issue.message;
  return { ok: false, problems };
};

/** The names of a form's fields that are typed or chosen as text. */
type TextOf<Form> = { [Name in keyof Form & string]: Form[Name] extends string ? Name : never }[keyof Form &
  string];

/**
 * A form's memory: what was typed, and what is wrong with it. It is checked when it is submitted; then it is sent, or the
 * complaints stand at their fields and the first of these has the cursor.
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
  // Once the complaints are on the page, however long that takes.
  useEffect(() => {
    if (Object.keys(problems).length > 0)
      submitted.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);
  const change = (changed: Partial<Form>): void => setForm((before) => ({ ...before, ...changed }));
  return {
    form,
    /** For what is more than typing into one field. */
    change,
    /** For what only the server knows is wrong: its complaints stand at their fields as the form's own do. */
    refuse: setProblems,
    /** What a text field is given. */
    field: (name: TextOf<Form>) => ({
      value: String(form[name]),
      error: problems[name],
      onChange: ({ target: { value } }: { readonly target: { readonly value: string } }): void =>
        setForm((before) => ({ ...before, [name]: value })),
    }),
    submit: (event: FormEvent<HTMLFormElement>): void => {
      event.preventDefault();
      submitted.current = event.currentTarget;
      const outcome = checked(form);
      if (outcome.ok) {
        setProblems({});
        send(outcome.value);
      } else setProblems(outcome.problems);
    },
  };
};
