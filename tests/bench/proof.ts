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
import { type Row, row } from './row.ts';
import type { Stage } from './stage.ts';

const EVENTS = 1_000_000;
const BATCH = 2_000;
const PROOFS = 500;

export const run = async (stage: Stage): Promise<readonly Row[]> => {
  const url = await stage.freshDatabase();
  const { database, log } = await stage.foundation(url, 'baseline');
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' });
  const signer = createCheckpointSigner(createPrivateKey(pem));
  const { pool } = database;
  const { publicKeys } = signer;
  const folder = await mkdtemp(join(tmpdir(), 'reprise-proof-'));
  const rows: Row[] = [];
  const rate = (since: number): number => (EVENTS / (performance.now() - since)) * 1_000;
  try {
    for (let first = 0; first < EVENTS; first += BATCH) {
      const batch = Array.from({ length: BATCH }, (_, at) => ({
        id: randomUUID(),
        type: 'TicketsHeld',
        version: 1,
        data: JSON.stringify({ attempt: randomUUID(), quantity: 2, until: '2026-11-21T10:15:00.000Z' }),
        meta: `{"actor":{"id":"${randomUUID()}","kind":"user","role":"user"},"at":"2026-11-21T10:00:00.000Z","commandId":"${randomUUID()}","correlationId":"${first + at}"}`,
      }));
      await log.append([{ stream: `inventory-${first}`, expected: 'none', events: batch }]);
    }
    const { signal } = new AbortController();
    const recheck = () =>
      recheckApart({ databaseUrl: url, logUrl: url, publicKeys }, signal, () => undefined);
    const began = performance.now();
    const sequencer = startSequencer({ pool, log, signer, origin: 'bench/log', recheck });
    while ((await readTree(pool)).size < EVENTS) await pause(50);
    const taken = performance.now() - began;
    rows.push(row('proof: events taken into the tree', (EVENTS / taken) * 1_000, '/s'));
    rows.push(row('proof: cost of an event in the tree', (taken / EVENTS) * 1_000, 'µs'));
    await pause(1_500);
    await sequencer.stop();

    const proving = performance.now();
    for (let at = 0; at < PROOFS; at += 1)
      await hashesOfRanges(pool, inclusionRanges(Math.floor((at * EVENTS) / PROOFS), EVENTS));
    rows.push(row('proof: one inclusion proof', (performance.now() - proving) / PROOFS, 'ms'));

    const comparing = performance.now();
    const { size, findings } = await recheck();
    if (size !== EVENTS || findings.length > 0) throw new Error('the log does not fit its tree');
    rows.push(row(`proof: comparing ${EVENTS} entries with their tree`, rate(comparing), '/s'));

    const file = join(folder, 'log.ndjson');
    const lines = exportedLines(pool, log, await treeToExport(pool));
    await pipeline(Readable.from(lines), createWriteStream(file));
    const verifying = performance.now();
    const verified = await verifyLog(file, publicKeys);
    if (verified.findings.length > 0 || verified.signed !== EVENTS) throw new Error('the file does not fit');
    return [...rows, row(`proof: verify-log on ${EVENTS} entries`, rate(verifying), '/s')];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
