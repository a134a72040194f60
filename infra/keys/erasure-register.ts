import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A file that names every subject whose key was destroyed, one a line with its time: with it an older backup is erased again. It names nobody. */
export interface ErasureRegister {
  /** Writes a subject down; resolves once that is on the disk. */
  add(subject: string): Promise<void>;
}

/** Opens a register. Several processes may write into the same file. */
export const erasureRegister = (file: string, now: () => Date): ErasureRegister => ({
  async add(subject) {
    await mkdir(dirname(file), { recursive: true });
    const handle = await open(file, 'a+', 0o600);
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
});

/** The subjects in a register. A line that was cut off counts with what it has. */
export const readErasureRegister = async (file: string): Promise<readonly string[]> => {
  const lines = (await readFile(file, 'utf8')).split('\n');
  return [...new Set(lines.map((line) => line.split(' ')[0] ?? '').filter(Boolean))];
};
