/** Nothing is in neither `npm test` nor `npm run endure`. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SWEEPS } from './kit/sweep.ts';

/** It imports what leaves some of it out. */
const LEAVES = /\b(endure|isWhole|sweep)\b[^;]* from '[^']*kit\/(endure|sweep)\.ts'/;

const cwd = new URL('..', import.meta.url);

test('every spec that leaves work to `npm run endure` is run there', () => {
  const found = (patterns: readonly string[]) =>
    globSync([...patterns], { cwd, exclude: ['node_modules/**', '**/*.endure.spec.ts'] });
  const leaving = found(['{domain,command-api,projector,query-api,infra,web,tests}/**/*.spec.ts']).filter(
    (file) => LEAVES.test(readFileSync(new URL(file, cwd), 'utf8')),
  );
  expect(leaving.length).toBeGreaterThan(10);
  expect(found(SWEEPS)).toEqual(expect.arrayContaining(leaving));
});
