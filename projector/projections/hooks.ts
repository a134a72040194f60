import { type HookEvent, hookEvents } from '#domain/hook/events.ts';
import { typesOf } from '#domain/kernel/event.ts';
import { hookTable } from '#infra/read-models/tables.ts';
import { type DeclaredProjection, expectRow, type Projected } from '#projector/engine/projection.ts';

const hookRows: Projected<typeof hookTable, HookEvent> = {
  table: hookTable,
  types: typesOf(hookEvents),
  keys: ({ event }) => [event.data.hookId],
  fold: (row, applied) => {
    const { event, meta } = applied;
    if (event.type === 'HookRemoved') return undefined;
    if (event.type === 'HookSecretRenewed') return row;
    if (event.type === 'HookStopped')
      return {
        ...expectRow(row, applied),
        ...{ is_active: false, stopped: event.data.why, updated_at: meta.at },
      };
    const { hookId, isActive, ...facts } = event.data;
    return { ...facts, id: hookId, is_active: isActive, stopped: null, updated_at: meta.at };
  },
};

export const hooks: DeclaredProjection = { name: 'hooks', fold: 1, tables: [hookRows] };
