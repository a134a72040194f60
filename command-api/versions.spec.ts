import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { allEvents, WORKING_TYPES } from '#domain/all-events.ts';
import { logTypesOf } from '#domain/answers/hook-message.ts';
import { typesOf } from '#domain/event.ts';
import { HOOK_TYPES, hookEvents } from '#domain/hook/events.ts';
import { REACTIONS_VERSION } from './reactors/reactions.ts';
import { HOOKS_VERSION } from './webhooks/follow.ts';

const digestOf = (types: readonly string[]): string => {
  const read = [...types].sort().map((type) => [type, allEvents[type]?.version]);
  return createHash('sha256').update(JSON.stringify(read)).digest('hex').slice(0, 8);
};

/** The version of each that follows the log, and a digest of the events that it reads at that version. Where they have changed, raise the version, and write both here. */
it('raises the version of who follows the log with every change of what it reads', () => {
  const hooks = [...typesOf(hookEvents), ...logTypesOf(HOOK_TYPES)];
  expect({
    jobs: `${REACTIONS_VERSION} ${digestOf(WORKING_TYPES)}`,
    hooks: `${HOOKS_VERSION} ${digestOf(hooks)}`,
  }).toEqual({ jobs: '5 0e9e7272', hooks: '1 a9c4f778' });
});
