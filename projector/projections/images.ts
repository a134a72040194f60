import { type ImageEvent, imageEvents } from '#domain/content/events.ts';
import { typesOf } from '#domain/kernel/event.ts';
import { imageTable } from '#infra/read-models/tables.ts';
import type { DeclaredProjection, Projected } from '#projector/engine/projection.ts';

const imageRows: Projected<typeof imageTable, ImageEvent> = {
  table: imageTable,
  types: typesOf(imageEvents),
  keys: ({ event }) => [event.data.imageId],
  fold(_row, { event, meta }) {
    if (event.type === 'ImageRemoved') return undefined;
    const { imageId: id, originalName: original_name, ...data } = event.data;
    return { id, original_name, ...data, created_at: meta.at };
  },
};

export const images: DeclaredProjection = { name: 'images', fold: 1, tables: [imageRows] };
