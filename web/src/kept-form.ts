/** What somebody is typing into a form, kept for the tab: a session that ends, or a reload, must not lose it. */
import { forTab, jsonOf } from './storage.ts';

/** The tab's key for it. Only the last form is kept. */
const TYPED = 'typed-form';

/** Keeps what is typed into the form of a name. The name has the person's id in it: nobody else gets to see it. */
export const keepForm = (name: string, form: object): void =>
  forTab.set(TYPED, JSON.stringify({ name, form }));

/** Forgets it: it was saved or discarded, or the person signs out. */
export const forgetForm = (): void => forTab.remove(TYPED);

/**
 * A form with what was typed into it and is kept; `blank` as it is, if nothing is kept for the form of this name that differs from it.
 * What somebody has saved meanwhile, here or elsewhere, differs by its revision alone.
 */
export const keptForm = <Form extends object>(name: string, blank: Form): Form => {
  const kept = jsonOf(forTab.get(TYPED)) as { readonly name?: string; readonly form?: object } | null;
  if (kept?.name !== name) return blank;
  const typed = Object.entries(kept.form ?? {}).filter(
    ([field, value]) => typeof value === typeof Reflect.get(blank, field),
  );
  const differs = ([field, value]: [string, unknown]) =>
    field !== 'revision' && JSON.stringify(value) !== JSON.stringify(Reflect.get(blank, field));
  if (!typed.some(differs)) return blank;
  return { ...blank, ...Object.fromEntries(typed) };
};
