export type Form = { readonly [name: string]: string | Form };

const KEY = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;
const DEEPEST = 5;

const branch = (form: Record<string, string | Form>, name: string): Record<string, string | Form> => {
  const found = form[name];
  if (typeof found === 'object') return found as Record<string, string | Form>;
  const made: Record<string, string | Form> = Object.create(null);
  form[name] = made;
  return made;
};

export const parseForm = (text: string): Form => {
  const form: Record<string, string | Form> = Object.create(null);
  for (const [key, value] of new URLSearchParams(text)) {
    const match = KEY.exec(key);
    if (!match?.[1]) continue;
    const path = [match[1], ...[...(match[2] ?? '').matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1] ?? '')];
    const leaf = path.pop();
    if (leaf === undefined || path.length > DEEPEST) continue;
    let at = form;
    for (const name of path) at = branch(at, name);
    at[leaf] = value;
  }
  return form;
};

export const textAt = (form: Form, ...path: readonly string[]): string | undefined => {
  let at: string | Form | undefined = form;
  for (const name of path) {
    if (typeof at !== 'object') return undefined;
    at = at[name];
  }
  return typeof at === 'string' ? at : undefined;
};

export const textsAt = (form: Form, name: string): Record<string, string> => {
  const at = form[name];
  if (typeof at !== 'object') return {};
  return Object.fromEntries(
    Object.entries(at).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
};
