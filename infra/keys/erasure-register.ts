import { open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '#infra/config/config.ts';
import { CannotStart, wordsOf } from '#infra/lib/cannot-start.ts';
import { makeFolder } from '#infra/lib/make-folder.ts';
import type { Asked } from './key-store.ts';

/**
 * A file that names every subject whose key was destroyed, one a line, with when it was asked for and, of an account, by which one: with it
 * an older backup is erased again. It names nobody.
 */
export interface ErasureRegister {
  /** Writes a subject down; resolves once that is on the disk. @param asked Default: now, by nobody */
  add(subject: string, asked?: Asked): Promise<void>;
}

/** A subject in a register, and what the register says of its erasure. */
export interface Erased extends Partial<Asked> {
  readonly subject: string;
}

/** The file of a site's register. */
export const registerOf = ({ erasureRegister, dataDir }: Config): string =>
  erasureRegister ?? join(dataDir, 'erasures');

const openFile = async (file: string) => {
  await makeFolder(dirname(file));
  return open(file, 'a+', 0o600);
};

/**
 * Opens a register. Several processes may write into the same file.
 * @throws CannotStart where it can't be written: nobody could be erased
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
        // A full disk may have cut off the last line. The next one must not become a part of it.
        const cutOff = size > 0 && buffer.toString() !== '\n';
        await handle.appendFile(`${cutOff ? '\n' : ''}${subject} ${at}${by ? ` ${by}` : ''}\n`);
        await handle.datasync();
      } finally {
        await handle.close();
      }
    },
  };
};

/** A subject, and as much of when and by whom as is whole. */
const LINE = /^(\S+)(?: (\d{4}-\d\d-\d\dT[\d:.]+Z)(?: ([\da-f-]{36}))?)?/;

/** Who is in a register, each once. A line that was cut off counts with what it has. @throws CannotStart where it can't be read */
export const readErasureRegister = async (file: string): Promise<readonly Erased[]> => {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new CannotStart(`The register of erasures can't be read: ${wordsOf(cause)}`, { cause });
  });
  const found = new Map<string, Erased>();
  for (const line of text.split('\n')) {
    const [, subject, at, by] = LINE.exec(line) ?? [];
    // The first line is of what was asked for. Later ones are of repeats.
    if (subject && !found.get(subject)?.at) found.set(subject, { subject, ...(at ? { at } : {}), by });
  }
  return [...found.values()];
};
