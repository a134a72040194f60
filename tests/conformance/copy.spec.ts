import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import type { EventLog } from '#infra/event-log/event-log.ts';
import { openEventLogAt } from '#infra/foundation/open-log.ts';
import { copyLog, NotACopy } from '#infra/start/copy-log.ts';
import { freshDatabase } from '#tests/kit/database.ts';
import { atTheEnd } from '#tests/kit/endings.ts';
import { MemoryEventLog } from '#tests/kit/memory-log.ts';
import { isWhole } from '#tests/kit/sweep.ts';
import { type EsdbServer, startEsdbServer } from './esdb-server.ts';
import { someEvent } from './writer.ts';

const run = promisify(execFile);
const COPY = join(import.meta.dirname, '../../infra/start/copy-log.ts');

let database: string;
let server: EsdbServer;
beforeAll(async () => {
  database = await freshDatabase();
  server = await startEsdbServer();
  atTheEnd(server.stop);
});

/** Streams that interleave, with a large event and one that is older than the others. */
const fill = async (log: EventLog): Promise<void> => {
  for (let n = 0; n < 40; n += 1)
    await log.append([
      { stream: `a-${n % 3}`, expected: 'any', events: [someEvent({ n }), someEvent({ n: 'Łódź' })] },
      {
        stream: `b-${n}`,
        expected: 'none',
        events: [{ ...someEvent(), recordedAt: '2024-05-06T07:08:09.010Z' }],
      },
    ]);
  const large = { ...someEvent(), data: `{"big":"${'x'.repeat(250_000)}"}` };
  for (let n = 0; n < 5; n += 1)
    await log.append([{ stream: 'large', expected: 'any', events: [{ ...large, id: randomUUID() }] }]);
};

const contents = async (log: EventLog) =>
  (await Array.fromAsync(log.readAll(''))).flatMap(({ events }) =>
    events.map(({ position: _, ...event }) => event),
  );

test.runIf(isWhole)(
  'copying a log from PostgreSQL to EventStoreDB and back changes nothing but positions',
  async () => {
    const original = await openEventLogAt(database);
    await fill(original);
    const there = await run(process.execPath, [COPY, '--from', database, '--to', server.url]);
    expect(there.stdout).toMatch(/125 events copied; 125 are the same in both logs, SHA-256 [0-9a-f]{64}\n$/);

    const second = await freshDatabase();
    const back = await run(process.execPath, [COPY, '--from', server.url, '--to', second]);
    expect(back.stdout.split('SHA-256')[1]).toBe(there.stdout.split('SHA-256')[1]);
    const copy = await openEventLogAt(second);
    expect(await contents(copy)).toEqual(await contents(original));

    await original.close();
    await copy.close();
  },
);

test('copying a log continues after an interruption', async () => {
  const from = new MemoryEventLog();
  await fill(from);
  const to = new MemoryEventLog();
  let calls = 0;
  const breaking: EventLog = Object.assign(Object.create(to), {
    append: (batch: Parameters<EventLog['append']>[0]) => {
      calls += 1;
      return calls > 20 ? Promise.reject(new Error('the power went')) : to.append(batch);
    },
    readAll: to.readAll.bind(to),
  });
  await expect(copyLog(from, breaking)).rejects.toThrow('the power went');
  expect((await contents(to)).length).toBeGreaterThan(0);
  const { copied, events } = await copyLog(from, to, { batched: true });
  expect(copied).toBeLessThan(events);
  expect(await contents(to)).toEqual(await contents(from));
});

test('copying a log refuses a target with other events, and reports a difference', async () => {
  const from = new MemoryEventLog();
  await fill(from);
  const other = new MemoryEventLog();
  await other.append([{ stream: 'a-0', expected: 'none', events: [someEvent()] }]);
  await expect(copyLog(from, other)).rejects.toThrow(NotACopy);
  const copy = new MemoryEventLog();
  await copyLog(from, copy);
  await copy.append([{ stream: 'more', expected: 'none', events: [someEvent()] }]);
  await expect(copyLog(from, copy, { verifyOnly: true })).rejects.toThrow(NotACopy);
  await from.append([{ stream: 'more', expected: 'none', events: [someEvent()] }]);
  await expect(copyLog(from, copy, { verifyOnly: true })).rejects.toThrow(NotACopy);
});

test.runIf(isWhole)('copying a log explains its usage', async () => {
  const { stdout } = await run(process.execPath, [COPY, '--help']);
  expect(stdout).toContain('--from URL --to URL');
  await expect(run(process.execPath, [COPY])).rejects.toMatchObject({ code: 2 });
  await expect(run(process.execPath, [COPY, '--from', database, '--to', database])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the same log'),
  });
});

test('copying a log ends with a reason if one side is not reachable', async () => {
  const nowhere = 'postgres://nobody@127.0.0.1:1/nothing';
  await expect(
    run(process.execPath, [COPY, '--from', database, '--to', nowhere], { timeout: 60_000 }),
  ).rejects.toMatchObject({ code: 1, killed: false, stderr: expect.stringContaining('ECONNREFUSED') });
});
