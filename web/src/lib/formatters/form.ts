import { type FormEvent, useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';

/** First problem by field name; empty if an earlier field already shows the same message. */
export type Problems = Partial<Record<string, string>>;

export type Checked<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problems: Problems };

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

type TextOf<Form> = { [Name in keyof Form & string]: Form[Name] extends string ? Name : never }[keyof Form &
  string];

/**
 * Validates on submit and focuses the first problem. @example const { submit, field } = useForm({ email: ''
 * }, (form) => check(loginRequest, form), login.mutate);
 */
export const useForm = <Form extends object, Value>(
  blank: Form,
  checked: (form: Form) => Checked<Value>,
  send: (value: Value) => void,
) => {
  const [form, setForm] = useState(blank);
  const [problems, setProblems] = useState<Problems>({});
  const submitted = useRef<HTMLFormElement>(null);
  const found = useRef(false);
  // In an effect: the problems must be rendered before a field is looked up.
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
  const change = (changed: Partial<Form>): void => {
    setForm((before) => ({ ...before, ...changed }));
    setProblems((before) => {
      const left = Object.entries(before).filter(([name]) => !(name in changed));
      return left.length < Object.keys(before).length ? Object.fromEntries(left) : before;
    });
  };
  return {
    form,
    change,
    refuse,
    field: (name: TextOf<Form>) => ({
      name: name as string,
      value: String(form[name]),
      error: problems[name],
      onChange: ({ target: { value } }: { readonly target: { readonly value: string } }): void =>
        change({ [name]: value } as object as Partial<Form>),
    }),
    submit: (event: FormEvent<HTMLFormElement>): void => {
      event.preventDefault();
      // React bubbles events from a dialog's portal, so a dialog's form must not submit the outer one.
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
