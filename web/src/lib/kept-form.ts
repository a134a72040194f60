/** What somebody is typing into a form, kept for the tab: a session that ends, or a reload, must not lose it. */
import { forTab, jsonOf, TYPED_FORM } from './storage.ts';

/** A change that was sent and has no answer yet: what was sent, as text, and its idempotency key. */
export interface Unanswered {
  readonly sent: string;
  readonly key: string;
}

interface Kept {
  readonly name: string;
  readonly form?: object;
  readonly unanswered?: Unanswered | undefined;
}

/** What is kept under a name; undefined if it is another form's. */
const keptAs = (name: string): Kept | undefined => {
  const kept = jsonOf(forTab.get(TYPED_FORM)) as Kept | null | undefined;
  return kept?.name === name ? kept : undefined;
};
const keep = (kept: Kept): void => forTab.set(TYPED_FORM, JSON.stringify(kept));

/** Keeps what is typed into the form of a name. The name has the person's id in it: nobody else gets to see it. */
export const keepForm = (name: string, form: object): void => keep({ ...keptAs(name), name, form });

/** Keeps beside it what was sent of it, so that after a reload the same is still the same change; undefined once it is answered. */
export const keepUnanswered = (name: string, unanswered: Unanswered | undefined): void => {
  const kept = keptAs(name);
  // An answer may come when another form is kept.
  if (unanswered || kept) keep({ ...kept, name, unanswered });
};

/** What was sent of the form of a name and has no answer yet. */
export const keptUnanswered = (name: string): Unanswered | undefined => keptAs(name)?.unanswered;

/** Forgets the form of a name: it was saved or discarded. What is kept of another form stays. */
export const forgetForm = (name: string): void => {
  if (keptAs(name)) forTab.remove(TYPED_FORM);
};

/**
 * A form with what was typed into it and is kept; `blank` as it is, if nothing is kept for the form of this name that differs from it.
 * What somebody has saved meanwhile, here or elsewhere, differs by its revision alone.
 */
export const keptForm = <Form extends object>(name: string, blank: Form): Form => {
  const typed = Object.entries(keptAs(name)?.form ?? {}).filter(
    ([field, value]) => typeof value === typeof Reflect.get(blank, field),
  );
  const differs = ([field, value]: [string, unknown]) =>
    field !== 'revision' && JSON.stringify(value) !== JSON.stringify(Reflect.get(blank, field));
  if (!typed.some(differs)) return blank;
  return { ...blank, ...Object.fromEntries(typed) };
};
