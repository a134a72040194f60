import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const IMPORT = /(?:from|import)\s*\(?\s*'([#.][^']+\.tsx?)'/g;

/** Pairs of folders that import each other. This list may only shrink. */
const KNOWN = [
  'command-api/routes ↔ command-api/routes/admin',
  'infra/foundation ↔ infra/proof',
  'projector/engine ↔ projector/rebuild',
  'query-api/routes ↔ query-api/routes/admin',
];

const targetOf = (file: string, imported: string): string =>
  imported.startsWith('#') ? imported.slice(1).replace(/^web\//, 'web/src/') : join(dirname(file), imported);

it('no two folders import each other, except the known ones', () => {
  const files = globSync('{domain,command-api,projector,query-api,infra,web/src}/**/*.{ts,tsx}', {
    cwd: ROOT,
  }).filter((file) => !file.includes('.spec.'));
  const arrows = new Set(
    files.flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT)].map(
        ([, imported = '']) => `${dirname(file)} → ${dirname(targetOf(file, imported))}`,
      ),
    ),
  );
  const pairs = [...arrows].flatMap((arrow) => {
    const [from = '', to = ''] = arrow.split(' → ');
    return from < to && arrows.has(`${to} → ${from}`) ? [`${from} ↔ ${to}`] : [];
  });
  expect(pairs.sort()).toEqual(KNOWN);
});
