/** What people may be told of a listing beside what every listing has. */
export const FACTS = ['doors', 'end', 'access', 'organiser'] as const;

/** `doors` and `end` are `HH:mm` at the venue; `access` says who gets in how, without steps for instance. Null: nothing is said. */
export type ListingFacts = Readonly<Record<(typeof FACTS)[number], string | null>>;

type Given = Readonly<Partial<Record<keyof ListingFacts, string | null | undefined>>>;

/** All facts in their order. What is not given stays as it was before; blank ones are null. */
export const factsOf = (given: Given = {}, before: Given = {}): ListingFacts => {
  const fact = (name: keyof ListingFacts): string | null =>
    (given[name] === undefined ? before[name] : given[name]) || null;
  return { doors: fact('doors'), end: fact('end'), access: fact('access'), organiser: fact('organiser') };
};
