import { aggregates } from '#domain/aggregates.ts';
import type { AnyAggregate } from '#domain/kernel/decider.ts';
import { type EventSchemas, typesOf } from '#domain/kernel/event.ts';
import { documentTable } from '#infra/read-models/tables.ts';
import type { DeclaredProjection, Projected } from '#projector/engine/projection.ts';

interface Listed {
  readonly aggregate: AnyAggregate | { readonly name: string };
  readonly events: EventSchemas;
}

type Small = AnyAggregate & Required<Pick<AnyAggregate, 'document'>>;

const isSmall = (aggregate: Listed['aggregate']): aggregate is Small => 'document' in aggregate;

export const documentRows = (listed: readonly Listed[]): Projected<typeof documentTable> => {
  const byType = new Map(
    listed.flatMap(({ aggregate, events }) =>
      isSmall(aggregate) ? typesOf(events).map((type) => [type, aggregate] as const) : [],
    ),
  );
  const aggregateOf = (type: string): Small => {
    const aggregate = byType.get(type);
    if (!aggregate) throw new Error(`${type} belongs to no document`);
    return aggregate;
  };
  return {
    table: documentTable,
    types: [...byType.keys()],
    keys: ({ event, stream }) => {
      const { name } = aggregateOf(event.type);
      return [[name, stream.slice(name.length + 1)]];
    },
    fold(row, { event, meta }, [aggregate, id]) {
      const found = aggregateOf(event.type);
      const state = found.evolve(row?.state ?? found.initial, event, meta.at);
      return state ? { aggregate, id, state, images: found.document.images(state) } : undefined;
    },
  };
};

export const documents: DeclaredProjection = {
  name: 'documents',
  fold: 1,
  tables: [documentRows(aggregates)],
};
