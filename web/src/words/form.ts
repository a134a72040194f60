import * as z from 'zod/mini';

/** The first complaint about each field, by its name. */
export type Problems<Name extends string> = Partial<Record<Name, string>>;

/** Checks a form by its contract: the parsed value, or what is wrong with which field. */
export const check = <Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
): { ok: true; value: z.output<Schema> } | { ok: false; problems: Problems<string> } => {
  const result = z.safeParse(schema, value);
  if (result.success) return { ok: true, value: result.data };
  const problems: Problems<string> = {};
  for (const issue of result.error.issues) problems[String(issue.path[0] ?? '')] ??= issue.message;
  return { ok: false, problems };
};

/** Puts the cursor into the first field that has a complaint. */
export const focusFirstProblem = (form: HTMLFormElement): void => {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
};
