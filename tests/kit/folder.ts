import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atTheEnd } from './endings.ts';

/** An empty folder. It is removed when the spec ends that asks for it, or the file. */
export const freshFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'reprise-spec-'));
  // An embedded PostgreSQL in it runs under an account of its own where the specs run as root.
  await chmod(folder, 0o711);
  atTheEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
};
