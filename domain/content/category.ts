import { type Aggregate, badInput, type Decision, type Rejection, reject } from '#domain/kernel/decider.ts';
import type { Shown } from '#domain/kernel/revision.ts';
import type { Use } from '#domain/place/state.ts';
import type { CategoryEvent, CategoryFacts } from './events.ts';

export interface CategoryState extends Omit<CategoryFacts, 'categoryId'> {
  readonly categoryId: number | null;
  readonly archived: boolean;
}

export type CategoryCommand =
  | ({ readonly type: 'AddCategory' } & CategoryFacts)
  | ({ readonly type: 'EditCategory' } & Pick<CategoryFacts, 'name' | 'emoji' | 'description'>)
  | { readonly type: 'ArchiveCategory'; readonly usedBy: readonly Use[] }
  | { readonly type: 'RestoreCategory' };

const initial: CategoryState = {
  categoryId: null,
  slug: '',
  name: '',
  emoji: '',
  description: '',
  archived: false,
};

/** Named by the specification. */
const GIVEN_SLUGS: Readonly<Record<string, string>> = { 'culture & arts': 'culture' };

/** `"Food & Drink"` → `"food-drink"`. Empty for a name without letters or digits. */
export const categorySlug = (name: string): string =>
  GIVEN_SLUGS[name.trim().toLowerCase()] ??
  name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');

const segmenter = Intl.Segmenter && new Intl.Segmenter('en', { granularity: 'grapheme' });

/** User-perceived characters. Without Intl.Segmenter (Firefox before 125) returns 1; the server counts again. */
export const graphemes = (text: string): number => (segmenter ? [...segmenter.segment(text)].length : 1);

const complaint = (slug: string, name: string, emoji: string): Rejection | undefined => {
  const missing = 'Please provide both name and emoji for the category';
  if (!name.trim() || !emoji.trim() || !slug) return reject('BAD_INPUT', { errors: [missing] });
  return graphemes(emoji) > 2 ? badInput({ emoji: 'Emoji must be at most 2 characters' }) : undefined;
};

/** Refuses with BAD_INPUT, NAME_TAKEN, NOT_FOUND, IN_USE. An archived category's slug may be reused. */
const decide = (state: CategoryState, command: CategoryCommand): Decision<CategoryEvent> => {
  if (command.type === 'AddCategory') {
    const { type: _, ...data } = command;
    if (state.categoryId === data.categoryId) return [];
    if (state.categoryId !== null && !state.archived) return reject('NAME_TAKEN');
    return complaint(data.slug, data.name, data.emoji) ?? [{ type: 'CategoryAdded', data }];
  }
  const { categoryId, slug } = state;
  if (categoryId === null) return reject('NOT_FOUND');
  if (command.type === 'ArchiveCategory') {
    if (state.archived) return [];
    const { usedBy } = command;
    if (usedBy.length > 0) return reject('IN_USE', { usedBy });
    return [{ type: 'CategoryArchived', data: { categoryId, slug } }];
  }
  if (command.type === 'RestoreCategory') {
    const { archived, ...facts } = state;
    return archived ? [{ type: 'CategoryAdded', data: { ...facts, categoryId } }] : [];
  }
  if (state.archived) return reject('NOT_FOUND');
  const { name, emoji, description } = command;
  if (name === state.name && emoji === state.emoji && description === state.description) return [];
  return (
    complaint(slug, name, emoji) ?? [
      { type: 'CategoryEdited', data: { categoryId, slug, name, emoji, description } },
    ]
  );
};

export const shownOfCategory = ({
  name,
  emoji,
  description,
}: Pick<CategoryFacts, 'name' | 'emoji' | 'description'>): Shown => ({ name, emoji, description });

export const category: Aggregate<CategoryState, CategoryCommand, CategoryEvent> = {
  name: 'category',
  shown: shownOfCategory,
  initial,
  evolve: (state, event) =>
    event.type === 'CategoryArchived' ? { ...state, archived: true } : { ...event.data, archived: false },
  decide,
};
