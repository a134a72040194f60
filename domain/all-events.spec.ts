import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { auditEntities } from './aggregates.ts';
import { allEvents } from './all-events.ts';
import type { EventSchemas } from './kernel/event.ts';

/** Every registry that an aggregate's `events.ts` exports. */
const registries: EventSchemas[] = [];
for (const file of globSync('*/events.ts', { cwd: import.meta.dirname })) {
  const exported: Record<string, unknown> = await import(join(import.meta.dirname, file));
  for (const [name, value] of Object.entries(exported)) {
    if (name.endsWith('Events')) registries.push(value as EventSchemas);
  }
}
const types = registries.flatMap((registry) => Object.keys(registry));

describe('the list of all events', () => {
  it('holds the events of every aggregate', () => {
    expect(registries.length).toBeGreaterThan(10);
    expect(Object.keys(allEvents).sort()).toEqual([...new Set(types)].sort());
  });

  it('has each type of event once', () => {
    expect(types.filter((type, index) => types.indexOf(type) !== index)).toEqual([]);
  });

  it('has an event for each entity of the audit trail', () => {
    const entities = Object.values(allEvents).flatMap(({ audit }) => audit?.[1] ?? []);
    expect([...new Set(entities)].sort()).toEqual(Object.keys(auditEntities).sort());
  });

  it('names the person for each sealed field', () => {
    for (const [type, schema] of Object.entries(allEvents)) {
      expect([type, schema.sealed.length > 0]).toEqual([type, schema.person !== undefined]);
    }
  });
});
