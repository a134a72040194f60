import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const IMPORT = /(?:from|import)\s*\(?\s*'([#.][^']+\.tsx?)'/g;

/** Pairs of folders that import each other. This list may only shrink. */
const KNOWN = [
  'command-api/routes ↔ command-api/routes/admin',
  'infra/foundation ↔ infra/proof',
  'query-api/routes ↔ query-api/routes/admin',
];

const targetOf = (file: string, imported: string): string =>
  imported.startsWith('#') ? imported.slice(1).replace(/^web\//, 'web/src/') : join(dirname(file), imported);

const importsOf = (pattern: string): { from: string; to: string }[] =>
  globSync(pattern, { cwd: ROOT })
    .filter((file) => !file.includes('.spec.'))
    .flatMap((from) =>
      [...readFileSync(join(ROOT, from), 'utf8').matchAll(IMPORT)].map(([, imported = '']) => ({
        from,
        to: targetOf(from, imported),
      })),
    );

/** The client's layers: a file imports from its own and the ones before it. */
const LAYERS = ['lib', 'ui', 'features', 'app'];

/** Features that use another one. This list may only shrink, and never has a cycle. */
const USED = [
  'accounts → door',
  'bookings → proof',
  'bookings → refunds',
  'checkout → accounts',
  'checkout → bookings',
  'events → checkout',
  'events → newsletter',
  'events → waiting',
  'log → proof',
];

it('no two folders import each other, except the known ones', () => {
  const arrows = new Set(
    importsOf('{domain,command-api,projector,query-api,infra,web/src}/**/*.{ts,tsx}').map(
      ({ from, to }) => `${dirname(from)} → ${dirname(to)}`,
    ),
  );
  const pairs = [...arrows].flatMap((arrow) => {
    const [from = '', to = ''] = arrow.split(' → ');
    return from < to && arrows.has(`${to} → ${from}`) ? [`${from} ↔ ${to}`] : [];
  });
  expect(pairs.sort()).toEqual(KNOWN);
});

it('no layer of the client imports a later one, and its features use only those listed', () => {
  const imports = importsOf('web/src/**/*.{ts,tsx}')
    .filter(({ to }) => to.startsWith('web/src/'))
    .map(({ from, to }) => [from.split('/').slice(2), to.split('/').slice(2)] as const);
  const layer = ([name = '']: readonly string[]) => LAYERS.indexOf(name);
  const upwards = imports.filter(([from, to]) => layer(from) < layer(to) || layer(from) < 0);
  expect(upwards.map((one) => one.map((path) => path.join('/')).join(' → '))).toEqual([]);
  const used = imports
    .filter(([[from], [to]]) => from === 'features' && to === 'features')
    .flatMap(([[, from], [, to]]) => (from === to ? [] : [`${from} → ${to}`]));
  expect([...new Set(used)].sort()).toEqual(USED);
});
