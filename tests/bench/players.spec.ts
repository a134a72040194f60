import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ENVIRONMENT } from '#infra/start/modestly.ts';
import { processes } from './players.ts';

const root = join(import.meta.dirname, '../..');

it('the benchmark runs each process as its main.ts does', () => {
  const mains = globSync('*/main.ts', { cwd: root });
  expect(Object.keys(processes).sort()).toEqual(mains.map((file) => file.split('/')[0]).sort());
  const players = readFileSync(join(root, 'tests/bench/players.ts'), 'utf8');
  for (const main of mains) {
    const started = /start: (\w+),/.exec(readFileSync(join(root, main), 'utf8'))?.[1] ?? `nothing of ${main}`;
    expect(players).toMatch(new RegExp(`: (\\(foundation, life\\) => )?${started}[(,]`));
  }
});

it('the benchmark runs with the image’s environment', () => {
  const image = readFileSync(join(root, 'infra/Dockerfile'), 'utf8');
  const variables = Object.entries(ENVIRONMENT).map(([name, value]) => `${name}=${value}`);
  expect(image).toContain(`\nENV ${variables.join(' ')}\n`);
});
