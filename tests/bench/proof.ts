/** What the proof of the log costs: taking events into the tree, proving one of them, and comparing the whole log with its tree. */
import { createPrivateKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { inclusionRanges } from '#domain/proof/proof.ts';
import { openEventLogAt } from '#infra/foundation/open-log.ts';
import { openDatabase } from '#infra/postgres/database.ts';
import { migrate } from '#infra/postgres/migrate.ts';
import {
  createCheckpointSigner,
  exportedLines,
  hashesOfRanges,
  readTree,
  recheckApart,
  treeToExport,
} from '#infra/proof/proof.ts';
import { verifyLog } from '#infra/proof/verify-log.ts';
import { startSequencer } from '#projector/sequencer.ts';
import type { Row } from './row.ts';

const EVENTS = 1_000_000;
const BATCH = 2_000;
const PROOFS = 500;

export const run = async ({
  url,
  events = EVENTS,
}: {
  url: string;
  events?: number;
}): Promise<readonly Row[]> => {
  await migrate(url);
  const database = openDatabase(url);
  const log = await openEventLogAt(url);
  const { privateKey } = generateKeyPairSync('ed25519');
  const signer = createCheckpointSigner(
    createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' })),
  );
  const { pool } = database;
  const { publicKeys } = signer;
  const folder = await mkdtemp(join(tmpdir(), 'reprise-proof-'));
  const rows: Row[] = [];
  try {
    for (let first = 0; first < events; first += BATCH) {
      const batch = Array.from({ length: BATCH }, (_, at) => ({
        id: randomUUID(),
        type: 'TicketsHeld',
        version: 1,
        data: JSON.stringify({ attempt: randomUUID(), quantity: 2, until: '2026-11-21T10:15:00.000Z' }),
        meta: `{"actor":{"id":"${randomUUID()}","kind":"user","role":"user"},"at":"2026-11-21T10:00:00.000Z","commandId":"${randomUUID()}","correlationId":"${first + at}"}`,
      }));
      await log.append([{ stream: `inventory-${first}`, expected: 'none', events: batch }]);
    }
    const recheck = () =>
      recheckApart(
        { databaseUrl: url, logUrl: url, publicKeys },
        new AbortController().signal,
        () => undefined,
      );
    const began = performance.now();
    const sequencer = startSequencer({ pool, log, signer, origin: 'bench/log', recheck });
    while ((await readTree(pool)).size < events) await pause(50);
    const taken = performance.now() - began;
    rows.push({ what: 'proof: events taken into the tree', figure: (events / taken) * 1_000, unit: '/s' });
    rows.push({ what: 'proof: cost of an event in the tree', figure: (taken / events) * 1_000, unit: 'µs' });
    await pause(1_500);
    await sequencer.stop();

    const proving = performance.now();
    for (let at = 0; at < PROOFS; at += 1)
      await hashesOfRanges(pool, inclusionRanges(Math.floor((at * events) / PROOFS), events));
    rows.push({
      what: 'proof: one inclusion proof',
      figure: (performance.now() - proving) / PROOFS,
      unit: 'ms',
    });

    const comparing = performance.now();
    const { size, findings } = await recheck();
    if (size !== events || findings.length > 0) throw new Error('the log does not fit its tree');
    rows.push({
      what: `proof: comparing ${events} entries with their tree`,
      figure: (events / (performance.now() - comparing)) * 1_000,
      unit: '/s',
    });

    const file = join(folder, 'log.ndjson');
    await pipeline(
      Readable.from(exportedLines(pool, log, await treeToExport(pool))),
      createWriteStream(file),
    );
    const verifying = performance.now();
    const verified = await verifyLog(file, publicKeys);
    if (verified.findings.length > 0 || verified.signed !== events) throw new Error('the file does not fit');
    rows.push({
      what: `proof: verify-log on ${events} entries`,
      figure: (events / (performance.now() - verifying)) * 1_000,
      unit: '/s',
    });
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
    await log.close();
    await database.close();
  }
};
