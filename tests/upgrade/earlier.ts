/** The programs that the fixture's database was made by. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freshFolder } from '#tests/kit/folder.ts';
import { readAbout } from './fixture.ts';

const run = promisify(execFile);

const ROOT = join(import.meta.dirname, '../..');

/** Checks them out into a folder of their own, on the packages that are installed here. Or says why that can't be. */
export const checkOutEarlier = async (): Promise<{ readonly root: string } | { readonly why: string }> => {
  const { commit } = await readAbout();
  const git = (...args: readonly string[]) => run('git', ['-C', ROOT, ...args]);
  const isKnown = await git('cat-file', '-e', `${commit}^{commit}`).then(
    () => true,
    () => false,
  );
  if (!isKnown) return { why: `the history has no commit ${commit} here` };
  const root = await freshFolder();
  const archive = join(root, 'archive.tar');
  await git('archive', `--output=${archive}`, commit);
  await run('tar', ['-xf', archive, '-C', root]);
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const gone = Object.keys(dependencies).filter((name) => !existsSync(join(ROOT, 'node_modules', name)));
  if (gone.length > 0) return { why: `packages of that commit are not installed: ${gone.join(', ')}` };
  for (const made of ['node_modules', 'web/dist', 'web/dist-server'])
    await symlink(join(ROOT, made), join(root, made));
  return { root };
};
