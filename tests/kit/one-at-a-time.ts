import { mkdir, rmdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { hasCode } from '#infra/lib/machine.ts';

/** Does the work while nobody else holds the lock, in whatever worker or process: whoever makes the folder `lock` has it. */
export const oneAtATime = async <Done>(lock: string, work: () => Promise<Done>): Promise<Done> => {
  for (;;) {
    try {
      await mkdir(lock);
      break;
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
      await pause(25);
    }
  }
  try {
    return await work();
  } finally {
    await rmdir(lock);
  }
};
