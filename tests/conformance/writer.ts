/**
 * A writer for the conformance suite, as a function and as a program: appends to streams of its own and to one that
 * all writers fight for, and tells which events were acknowledged.
 */
import { randomUUID } from 'node:crypto';
import type { EventLog, NewEvent } from '#infra/event-log/event-log.ts';
import { openEventLogAt } from '#infra/foundation/open-log.ts';

export interface WriterJob {
  readonly name: string;
  readonly appends: number;
  /** The stream that all writers append to, each with the revision that it believes in. */
  readonly contested: string;
}

/** An event of which an append said that it stands, last of its item. */
export interface Acknowledged {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: string;
}

export const someEvent = (data: unknown = { n: 1 }, type = 'SomethingHappened'): NewEvent => ({
  id: randomUUID(),
  type,
  version: 1,
  data: JSON.stringify(data),
  meta: JSON.stringify({ commandId: randomUUID() }),
});

/** Runs a job: each append has one item on a stream of its own with one to three events, and one on the contested stream. */
export const write = async (log: EventLog, job: WriterJob): Promise<Acknowledged[]> => {
  const { name, appends, contested } = job;
  const acknowledged: Acknowledged[] = [];
  let believed = -1;
  for (let n = 0; n < appends; n += 1) {
    const own = {
      stream: `${name}-${n}`,
      expected: 'none',
      events: Array.from({ length: (n % 3) + 1 }, () => someEvent({ name, n })),
    } as const;
    const expected = believed === -1 ? 'none' : believed;
    const fought = { stream: contested, expected, events: [someEvent({ name, n })] } as const;
    const results = await log.append([own, fought]);
    for (const [index, { stream, events }] of [own, fought].entries()) {
      const result = results[index];
      if (result?.ok) {
        const { revision, position } = result;
        acknowledged.push({ id: events.at(-1)?.id ?? '', stream, revision, position });
        if (stream === contested) believed = result.revision;
      } else if (stream === contested) believed = result?.tail.at(-1)?.revision ?? believed;
    }
  }
  return acknowledged;
};

if (import.meta.main) {
  const [url = '', name = '', appends = '0', contested = ''] = process.argv.slice(2);
  const log = await openEventLogAt(url);
  const acknowledged = await write(log, { name, appends: Number(appends), contested });
  await log.close();
  process.stdout.write(JSON.stringify(acknowledged));
}
