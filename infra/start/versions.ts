import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { POLICY_CHANGES } from '#command-api/policies/policies.ts';
import { allEvents, WORKING_TYPES } from '#domain/all-events.ts';
import { logTypesOf } from '#domain/answers/webhook-message.ts';
import { typesOf } from '#domain/kernel/event.ts';
import { HOOK_TYPES, webhookEvents } from '#domain/webhook/events.ts';
import { argumentsOrExit } from '#infra/lib/arguments.ts';
import { tablesOf } from '#projector/engine/projection.ts';
import { projections } from '#projector/projections/all.ts';
import written from '#versions.json' with { type: 'json' };

const HELP = `Writes versions.json after a change of what follows the log. A spec says when.

  npm run versions

An entry whose digest has changed gets the next program number as its version. While two releases run side by side, the one
with the higher version makes the jobs or the webhooks' messages, and read models of a lower version are rebuilt.`;

interface Entry {
  readonly version: number;
  readonly digest: string;
}

interface Versions {
  readonly program: number;
  readonly jobs: Entry;
  readonly webhooks: Entry;
  readonly projections: Readonly<Record<string, Entry>>;
}

interface Digests {
  readonly jobs: string;
  readonly webhooks: string;
  readonly projections: Readonly<Record<string, string>>;
}

const digestOf = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 8);

const events = (types: readonly string[]) =>
  [...types].sort().map((type) => [type, allEvents[type]?.version]);

export const digests = (): Digests => ({
  jobs: digestOf(events(WORKING_TYPES), POLICY_CHANGES),
  webhooks: digestOf(events([...typesOf(webhookEvents), ...logTypesOf(HOOK_TYPES)])),
  projections: Object.fromEntries(
    projections.map((projection) => [
      projection.name,
      digestOf(
        tablesOf([projection]).map(({ name, key, columns, indexes }) => [
          ...[name, key, indexes],
          Object.entries(columns).map(([column, { type, nullable, personal }]) => [
            ...[column, type, nullable],
            ...(personal ? ['personal'] : []),
          ]),
        ]),
        projection.tables.map(({ types }) => [...types].sort()),
        projection.fold,
      ),
    ]),
  ),
});

export const raised = (before: Versions, now: Digests): Versions => {
  const next = before.program + 1;
  /** An older program would take the read models for a newer one's, with a projection it does not know. */
  const dropped = Object.keys(before.projections).some((name) => !(name in now.projections));
  const entry = (old: Entry | undefined, digest: string, changed = false): Entry =>
    old?.digest === digest && !changed ? old : { version: next, digest };
  const jobs = entry(before.jobs, now.jobs);
  const webhooks = entry(before.webhooks, now.webhooks);
  const made = Object.entries(now.projections).map(
    ([name, digest]) => [name, entry(before.projections[name], digest, dropped)] as const,
  );
  const all = [jobs, webhooks, ...made.map(([, one]) => one)];
  if (all.every(({ version }) => version < next)) return before;
  return { program: next, jobs, webhooks, projections: Object.fromEntries(made) };
};

if (import.meta.main) {
  argumentsOrExit(HELP, {});
  const versions = raised(written, digests());
  await writeFile(join(import.meta.dirname, '../../versions.json'), `${JSON.stringify(versions, null, 2)}\n`);
  console.log(
    versions === written
      ? 'No digest has changed.'
      : `versions.json is written: program ${versions.program}.`,
  );
}
