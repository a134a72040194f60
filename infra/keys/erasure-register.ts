import { open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '#infra/config/config.ts';
import { CannotStart, wordsOf } from '#infra/lib/cannot-start.ts';
import { makeFolder } from '#infra/lib/make-folder.ts';
import type { Asked } from './key-store.ts';

/** Append-only, so that erasures can be repeated on an older backup. */
export interface ErasureRegister {
  /**
   * Resolves once it is on disk.
   * @param asked default: now, by nobody
   */
  add(subject: string, asked?: Asked): Promise<void>;
}

export interface Erased extends Partial<Asked> {
  readonly subject: string;
}

export const registerOf = ({ erasureRegister, dataDir }: Config): string =>
  erasureRegister ?? join(dataDir, 'erasures');

const openFile = async (file: string) => {
  await makeFolder(dirname(file));
  return open(file, 'a+', 0o600);
};

/**
 * Processes may share the file.
 * @throws CannotStart where it can't be written
 */
export const openErasureRegister = async (file: string, now: () => Date): Promise<ErasureRegister> => {
  const tried = await openFile(file).catch((cause: unknown) => {
    const words = `The register of erasures can't be written: ${wordsOf(cause)}. See ERASURE_REGISTER.`;
    throw new CannotStart(words, { cause });
  });
  await tried.close();
  return {
    async add(subject, { at, by } = { at: now().toISOString() }) {
      const handle = await openFile(file);
      try {
        const { size } = await handle.stat();
        const { buffer } = await handle.read({ buffer: Buffer.alloc(1), position: Math.max(0, size - 1) });
        // A full disk may have truncated the last line.
        const cutOff = size > 0 && buffer.toString() !== '\n';
        await handle.appendFile(`${cutOff ? '\n' : ''}${subject} ${at}${by ? ` ${by}` : ''}\n`);
        await handle.datasync();
      } finally {
        await handle.close();
      }
    },
  };
};

const LINE = /^(\S+)(?: (\d{4}-\d\d-\d\dT[\d:.]+Z)(?: ([\da-f-]{36}))?)?/;

/**
 * A truncated line counts with the fields it has.
 * @throws CannotStart where it can't be read
 */
export const readErasureRegister = async (file: string): Promise<readonly Erased[]> => {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new CannotStart(`The register of erasures can't be read: ${wordsOf(cause)}`, { cause });
  });
  const found = new Map<string, Erased>();
  for (const line of text.split('\n')) {
    const [, subject, at, by] = LINE.exec(line) ?? [];
    // Later lines are repeats.
    if (subject && !found.get(subject)?.at) found.set(subject, { subject, ...(at ? { at } : {}), by });
  }
  return [...found.values()];
};
