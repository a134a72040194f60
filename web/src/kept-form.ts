/** What somebody is typing into a form, kept for the tab: a session that ends, or a reload, must not lose it. */
import { forTab, jsonOf, TYPED_FORM } from './storage.ts';

/** Keeps what is typed into the form of a name. The name has the person's id in it: nobody else gets to see it. */
export const keepForm = (name: string, form: object): void =>
  forTab.set(TYPED_FORM, JSON.stringify({ name, form }));

/** Forgets it: it was saved or discarded, or the person signs out. */
export const forgetForm = (): void => forTab.remove(TYPED_FORM);

/**
 * A form with what was typed into it and is kept; `blank` as it is, if nothing is kept for the form of this name that differs from it.
 * What somebody has saved meanwhile, here or elsewhere, differs by its revision alone.
 */
export const keptForm = <Form extends object>(name: string, blank: Form): Form => {
  const kept = jsonOf(forTab.get(TYPED_FORM)) as { readonly name?: string; readonly form?: object } | null;
  if (kept?.name !== name) return blank;
  const typed = Object.entries(kept.form ?? {}).filter(
    ([field, value]) => typeof value === typeof Reflect.get(blank, field),
  );
  const differs = ([field, value]: [string, unknown]) =>
    field !== 'revision' && JSON.stringify(value) !== JSON.stringify(Reflect.get(blank, field));
  if (!typed.some(differs)) return blank;
  return { ...blank, ...Object.fromEntries(typed) };
};
