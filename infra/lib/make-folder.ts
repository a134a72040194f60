import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode } from './machine.ts';

/**
 * Makes a folder and those above it, unless they exist. Node's own way to do that (`recursive`) tries for ever where the system does
 * not know a folder whose parent exists, as under /proc.
 * @param mode the rights of what is made
 * @throws what the system says where it can't be made, such as EACCES, or EEXIST for a file
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
