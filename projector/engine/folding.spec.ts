import { expect, it } from 'vitest';
import { allEvents } from '#domain/all-events.ts';
import { createCodec } from '#infra/event-log/codec.ts';
import { integer, table } from '#infra/read-models/table.ts';
import { createMemoryKeyStore } from '#tests/kit/memory-keys.ts';
import { Folding } from './folding.ts';
import type { ProjectedTable } from './projection.ts';

const only = (name: string): ProjectedTable => ({
  table: table(name, { key: 'id', columns: { id: integer() } }),
  types: ['SalesClosed'],
  keys: () => [1],
  fold: (row) => row,
});
const closed = {
  ...{ id: 'e', type: 'SalesClosed', version: 1, data: '{"listingId":1,"why":"started"}' },
  meta: '{"actor":{"kind":"system"},"at":"2026-11-21T10:00:00.000Z","commandId":"c","correlationId":"r"}',
  ...{ stream: 'inventory-1', revision: 0, position: '1', recordedAt: '2026-11-21T10:00:00.000Z' },
};

it('folding a batch fails only after all loads have ended, so that late rows are not mistaken for current ones', async () => {
  const codec = createCodec(createMemoryKeyStore(), allEvents);
  const projections = [{ name: 'two', version: 1, tables: [only('quick'), only('slow')] }];
  const folding = new Folding({ projections, schema: 'read', codec, cacheRows: 10, fromEmpty: false });
  const slow = Promise.withResolvers<{ rows: never[] }>();
  const asked = Promise.withResolvers<void>();
  const query = (text: unknown) => {
    if (JSON.stringify(text).includes('quick')) return Promise.reject(new Error('the database is away'));
    asked.resolve();
    return slow.promise;
  };
  const told: string[] = [];
  const folded = folding.fold([closed], { query } as never).catch((error: Error) => told.push(error.message));
  await asked.promise;
  await new Promise(setImmediate);
  expect(told).toEqual([]);
  slow.resolve({ rows: [] });
  await folded;
  expect(told).toEqual(['the database is away']);
});
