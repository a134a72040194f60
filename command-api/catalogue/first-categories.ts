import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { category } from '#domain/content/category.ts';
import { defaultCategories } from '#domain/contracts/catalogue.ts';

export const addFirstCategories = async (
  { ids }: Pick<CommandDeps, 'ids'>,
  acting: ActingHandler,
): Promise<void> => {
  for (const { slug, name, emoji, description } of defaultCategories) {
    const { state } = await acting.state(category, slug);
    if (state.categoryId !== null) continue;
    const categoryId = await ids.next('category');
    const facts = { categoryId, slug, name, emoji, description };
    await acting.ask(category, slug, { type: 'AddCategory', ...facts });
  }
};
