import { type CategoryEvent, categoryEvents } from '#domain/content/events.ts';
import { typesOf } from '#domain/kernel/event.ts';
import { searchWords } from '#infra/read-models/search.ts';
import { categoryTable } from '#infra/read-models/tables.ts';
import { expectRow, type Projected } from '#projector/engine/projection.ts';

export const categories: Projected<typeof categoryTable, CategoryEvent> = {
  table: categoryTable,
  types: typesOf(categoryEvents),
  keys: ({ event }) => [event.data.slug],
  fold: (row, applied) => {
    const { event } = applied;
    if (event.type === 'CategoryArchived') return { ...expectRow(row, applied), archived: true };
    const { categoryId, slug, name, emoji, description } = event.data;
    return {
      id: categoryId,
      slug,
      name,
      emoji,
      description,
      archived: false,
      words: searchWords(name, slug),
    };
  },
};
