import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode } from './machine.ts';

/**
 * Node's `recursive` loops for ever where a folder can't exist although its parent does, as under /proc.
 * @throws the system's error
 */
export const makeFolder = async (folder: string, mode = 0o777): Promise<void> => {
  const make = () =>
    mkdir(folder, mode).catch(async (error: unknown) => {
      if (!hasCode(error, 'EEXIST') || !(await stat(folder)).isDirectory()) throw error;
    });
  try {
    await make();
  } catch (error) {
    const above = dirname(folder);
    if (!hasCode(error, 'ENOENT') || above === folder) throw error;
    await makeFolder(above, mode);
    await make();
  }
};
