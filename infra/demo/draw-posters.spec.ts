import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { freshFolder } from '#tests/kit/folder.ts';
import { drawPosters } from './draw-posters.ts';

const poster = {
  category: 'concerts',
  title: 'Jazz',
  venue: 'Band on the Wall',
  city: 'Manchester',
  date: '2031-12-04',
};

it('the poster process draws posters and stores them under the paths that pages use', async () => {
  const folder = await freshFolder();
  const posters = [1, 2].map((id) => ({ ...poster, id }));
  const paths = await drawPosters({ folder, posters }, new AbortController().signal);
  expect(paths).toHaveLength(2);
  const files = await readdir(folder);
  for (const path of paths) expect(files).toContain(path.replace('/images/', ''));
  expect(paths[0]).not.toBe(paths[1]);
});

it('drawing posters ends when it is aborted', async () => {
  const given = { folder: await freshFolder(), posters: [{ ...poster, id: 1 }] };
  await expect(drawPosters(given, AbortSignal.abort())).rejects.toThrow(/abort/i);
});
