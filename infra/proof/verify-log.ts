#!/usr/bin/env node
import { readFile, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { type Finding, type Receipt, receipt } from '#domain/contracts/log-proofs.ts';
import { fromBase64, openCheckpoint, openReceipt, readCheckpoint, sayFinding } from '#domain/proof/proof.ts';
import { argumentsOrExit } from '#infra/lib/arguments.ts';
import { CannotStart, tellFailure } from '#infra/lib/cannot-start.ts';
import { checkLog, type LogChecked } from './check-log.ts';
import { hashesIn } from './hashing.ts';
import readPart, { type Part, type PartRead } from './read-export.ts';

const HELP = `Checks that a log, or one entry of it, is what was signed. It asks no server: the public key is enough.

  npx verify-log --key KEY --log FILE [--checkpoint FILE]
  npx verify-log --key KEY --receipt FILE

  --key KEY           the public key as /.well-known/checkpoint-keys.json shows it, or as name+id+key; may be given more than once
  --log FILE          the whole log, as /audit exports it with its proof
  --receipt FILE      the receipt of a booking or of another entry, as a page or as JSON
  --checkpoint FILE   a checkpoint that was kept earlier and that the log has to contain; may be given more than once

Ends with 0 if everything fits. Otherwise it names each entry that was changed, dropped, put in or moved, and ends with 1.`;

const KEY_BYTES = 32;
/** Bytes; below, threads cost more than they save. */
const PART_BYTES = 8 * 1024 * 1024;

type Say = (line: string) => void;
type PublicKeys = readonly Uint8Array<ArrayBuffer>[];

export const readKey = (text: string): Uint8Array<ArrayBuffer> => {
  const parts = /^\S+\+[0-9a-f]{8}\+(\S+)$/.exec(text);
  const bytes = parts
    ? fromBase64(parts[1] ?? '').subarray(1)
    : new Uint8Array(Buffer.from(text.trim(), 'base64url'));
  if (bytes.length !== KEY_BYTES)
    throw new CannotStart('--key must be a public key of 32 bytes in base64url, or name+id+key.');
  return bytes;
};

const partsOf = (file: string, bytes: number, withNames: boolean): Part[] => {
  const many = Math.max(1, Math.min(2 * availableParallelism(), Math.floor(bytes / PART_BYTES)));
  const length = Math.ceil(bytes / many);
  return Array.from({ length: many }, (_, at) => ({
    ...{ file, withNames },
    from: at * length,
    to: Math.min(bytes, (at + 1) * length),
  }));
};

const readParts = async (file: string, withNames: boolean, say: Say): Promise<PartRead> => {
  const parts = partsOf(file, (await stat(file)).size, withNames);
  const filename = new URL('read-export.ts', import.meta.url).href;
  const maxThreads = availableParallelism();
  const pool = new Piscina<Part, PartRead>({ filename, minThreads: 0, maxThreads, env: {} });
  try {
    let done = 0;
    const read = await Promise.all(
      parts.map(async (part) => {
        const one = parts.length > 1 ? await pool.run(part) : await readPart(part);
        done += 1;
        if (parts.length > 1) say(`${Math.round((100 * done) / parts.length)}% of the file is read`);
        return one;
      }),
    );
    const joined = (key: 'leaves' | 'hashes') => Buffer.concat(read.map((one) => one[key]));
    const listed = (key: 'treeNames' | 'names' | 'checkpoints') => read.flatMap((one) => one[key]);
    return {
      leaves: joined('leaves'),
      hashes: joined('hashes'),
      treeNames: listed('treeNames'),
      names: listed('names'),
      checkpoints: listed('checkpoints'),
      unreadable: read.reduce((sum, one) => sum + one.unreadable, 0),
    };
  } finally {
    await pool.destroy();
  }
};

export interface LogVerified extends LogChecked {
  readonly signed: number;
}

export const verifyLog = async (
  file: string,
  keys: PublicKeys,
  kept: readonly string[] = [],
  say: Say = () => undefined,
): Promise<LogVerified> => {
  let read = await readParts(file, false, say);
  if (read.unreadable > 0)
    throw new CannotStart(
      'The file has lines that are no part of an exported log: it was cut off, or is another file.',
    );
  const entries = Buffer.from(read.hashes);
  const fits = entries.subarray(0, read.leaves.length).equals(read.leaves);
  if (!fits) read = await readParts(file, true, say);
  const signed = new Map<number, Uint8Array>();
  const forged: Finding[] = [];
  for (const note of [...read.checkpoints, ...kept]) {
    const checkpoint = await openCheckpoint(note, keys);
    const other = checkpoint && signed.get(checkpoint.size);
    if (!checkpoint || (other && !Buffer.from(other).equals(checkpoint.root)))
      forged.push({ kind: 'forged', entry: readCheckpoint(note)?.size ?? 0, name: null });
    else signed.set(checkpoint.size, checkpoint.root);
  }
  const checked = await checkLog({
    signed,
    nameOf: async (index) => read.treeNames[index],
    leaves: (async function* () {
      yield Buffer.from(read.leaves);
    })(),
    entries: (async function* () {
      yield hashesIn(entries).map((hash, at) => ({ hash, name: read.names[at] ?? '' }));
    })(),
  });
  const newest = Math.max(0, ...signed.keys());
  return { ...checked, signed: newest, findings: [...checked.findings, ...forged] };
};

const IN_PAGE = /<script type="application\/json" id="receipt">(.*?)<\/script>/s;

const readReceipt = (text: string): Receipt => {
  try {
    return receipt.parse(JSON.parse(IN_PAGE.exec(text)?.[1] ?? text));
  } catch (cause) {
    throw new CannotStart('The file is no receipt: it was cut off, or is another file.', { cause });
  }
};

export const verifyReceipt = async (text: string, keys: PublicKeys): Promise<string | undefined> => {
  const read = readReceipt(text);
  const checkpoint = await openReceipt(read, keys);
  if (!checkpoint) return undefined;
  const { index, entry } = read;
  return `Entry ${index + 1} of ${checkpoint.origin} (${entry.type}, ${entry.stream}, ${entry.recordedAt}) is among the ${checkpoint.size} that were signed.`;
};

const main = async (): Promise<void> => {
  const values = argumentsOrExit(HELP, {
    key: { type: 'string', multiple: true },
    log: { type: 'string' },
    receipt: { type: 'string' },
    checkpoint: { type: 'string', multiple: true },
  });
  const { key, log, receipt: receiptFile, checkpoint = [] } = values;
  if (!key || (log === undefined) === (receiptFile === undefined)) {
    console.error(HELP);
    process.exitCode = 2;
    return;
  }
  const keys = key.map(readKey);
  const say: Say = (line) => console.log(line);
  const fail: Say = (line) => {
    say(line);
    process.exitCode = 1;
  };
  if (receiptFile !== undefined) {
    const proven = await verifyReceipt(await readFile(receiptFile, 'utf8'), keys);
    if (proven) say(proven);
    else fail('This receipt proves nothing: it is not what the key signed.');
    return;
  }
  const began = performance.now();
  const kept = await Promise.all(checkpoint.map((file) => readFile(file, 'utf8')));
  const { size, signed, newer, findings, root } = await verifyLog(log ?? '', keys, kept, say);
  const seconds = (performance.now() - began) / 1_000;
  for (const finding of findings) fail(sayFinding(finding));
  if (signed === 0) fail('No checkpoint is signed by the key: nothing is proven.');
  if (process.exitCode) return;
  say(`All ${size} entries fit their tree, whose root is ${root.toString('hex')}.`);
  say(
    `${signed} of them are signed, ${size - signed + newer} are newer. ${Math.round(size / seconds)} entries a second.`,
  );
};

if (import.meta.main)
  main().catch((error: unknown) => {
    console.error(tellFailure(error));
    process.exitCode = 1;
  });
