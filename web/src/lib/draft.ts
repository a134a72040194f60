/** Form input that survives a reload or an expired session. Only one draft is kept. */
import { forTab, jsonOf, TYPED_FORM } from './storage.ts';

/** A sent change without an answer: its serialised body and idempotency key. */
export interface Unanswered {
  readonly sent: string;
  readonly key: string;
}

interface Kept {
  readonly name: string;
  readonly form?: object;
  readonly unanswered?: Unanswered | undefined;
}

const draftNamed = (name: string): Kept | undefined => {
  const kept = jsonOf(forTab.get(TYPED_FORM)) as Kept | null | undefined;
  return kept?.name === name ? kept : undefined;
};
const keep = (kept: Kept): void => forTab.set(TYPED_FORM, JSON.stringify(kept));

/** The name must contain the user's id, so that no other user sees the input. */
export const keepDraft = (name: string, form: object): void => keep({ ...draftNamed(name), name, form });

/** Lets a retry after a reload reuse its idempotency key. */
export const keepUnanswered = (name: string, unanswered: Unanswered | undefined): void => {
  const kept = draftNamed(name);
  // Another form may have replaced this one before the answer came.
  if (unanswered || kept) keep({ ...kept, name, unanswered });
};

export const keptUnanswered = (name: string): Unanswered | undefined => draftNamed(name)?.unanswered;

export const forgetDraft = (name: string): void => {
  if (draftNamed(name)) forTab.remove(TYPED_FORM);
};

/** Returns `blank` itself if nothing differs. A difference in `revision` alone means that the change was already saved. */
export const keptDraft = <Form extends object>(name: string, blank: Form): Form => {
  const typed = Object.entries(draftNamed(name)?.form ?? {}).filter(
    ([field, value]) => typeof value === typeof Reflect.get(blank, field),
  );
  const differs = ([field, value]: [string, unknown]) =>
    field !== 'revision' && JSON.stringify(value) !== JSON.stringify(Reflect.get(blank, field));
  if (!typed.some(differs)) return blank;
  return { ...blank, ...Object.fromEntries(typed) };
};
