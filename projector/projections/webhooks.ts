import { typesOf } from '#domain/kernel/event.ts';
import { type WebhookEvent, webhookEvents } from '#domain/webhook/events.ts';
import { webhookTable } from '#infra/read-models/tables.ts';
import { type DeclaredProjection, expectRow, type Projected } from '#projector/engine/projection.ts';

const webhookRows: Projected<typeof webhookTable, WebhookEvent> = {
  table: webhookTable,
  types: typesOf(webhookEvents),
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

export const hooks: DeclaredProjection = { name: 'hooks', fold: 1, tables: [webhookRows] };
