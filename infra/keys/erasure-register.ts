import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CannotStart, wordsOf } from '#infra/cannot-start.ts';
import type { Config } from '#infra/config.ts';

/** A file that names every subject whose key was destroyed, one a line with its time: with it an older backup is erased again. It names nobody. */
export interface ErasureRegister {
  /** Writes a subject down; resolves once that is on the disk. */
  add(subject: string): Promise<void>;
}

/** The file of a site's register. */
export const registerOf = ({ erasureRegister, dataDir }: Config): string =>
  erasureRegister ?? join(dataDir, 'erasures');

const openFile = async (file: string) => {
  await mkdir(dirname(file), { recursive: true });
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
    async add(subject) {
      const handle = await openFile(file);
      try {
        const { size } = await handle.stat();
        const { buffer } = await handle.read({ buffer: Buffer.alloc(1), position: Math.max(0, size - 1) });
        // A full disk may have cut off the last line. The next one must not become a part of it.
        const cutOff = size > 0 && buffer.toString() !== '\n';
        await handle.appendFile(`${cutOff ? '\n' : ''}${subject} ${now().toISOString()}\n`);
        await handle.datasync();
      } finally {
        await handle.close();
      }
    },
  };
};

/** The subjects in a register. A line that was cut off counts with what it has. @throws CannotStart where it can't be read */
export const readErasureRegister = async (file: string): Promise<readonly string[]> => {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new CannotStart(`The register of erasures can't be read: ${wordsOf(cause)}`, { cause });
  });
  const lines = text.split('\n');
  return [...new Set(lines.map((line) => line.split(' ')[0] ?? '').filter(Boolean))];
};
