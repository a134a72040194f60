/** What `infra/compose.yaml` and the image make of the variables and files of whoever deploys the site. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readConfig, VARIABLES } from '#infra/config/config.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** The variables of a process, as `infra/compose.yaml` sets them. */
const passed = new Map(
  [
    ...(read('infra/compose.yaml')
      .split('environment: &process-environment\n')[1]
      ?.split(/^\S/m)[0]
      ?.matchAll(/^ {4}([A-Z_]+): (.*)$/gm) ?? []),
  ].map(([, name = '', value = '']) => [name, value] as const),
);

/** What the processes are not asked for, and why. */
const NOT_PASSED = new Set([
  ...['HOST', 'DATA_DIR'], // the image sets them
  ...['DATABASE_OWNER_URL', 'WORK'], // not the same for each process
  ...['RATE_LIMITS', 'DEMO'], // production allows nothing else than what they are unset
  'NEW_MASTER_KEY', // one tool's alone
]);
/** What the composition itself decides. */
const OWN = new Set(['NODE_ENV', 'DATABASE_URL', 'EVENT_STORE_URL', 'PORT']);

test('every variable that a process reads is passed to it', () => {
  expect([...passed.keys()].sort()).toEqual(VARIABLES.filter((name) => !NOT_PASSED.has(name)).sort());
  for (const [name, value] of passed)
    if (!OWN.has(name)) expect(value, name).toMatch(new RegExp(`^\\$\\{${name}(:-\\w*|:\\?)\\}$`));
});

test('every variable that the proxy reads is passed to it', () => {
  const asked = [...read('infra/Caddyfile').matchAll(/\{\$(\w+)/g)].map(([, name]) => name);
  expect(asked).toContain('FRONT_PROXIES');
  const [, proxy = ''] = read('infra/compose.yaml').split('image: caddy');
  for (const name of asked) expect(proxy).toContain(`      ${name}: \${${name}:-`);
});

test('a variable that is passed on blank counts as unset', () => {
  const blank = Object.fromEntries(VARIABLES.map((name) => [name, '']));
  expect(readConfig(blank)).toEqual(readConfig({}));
});

test('files ignored by the repository are ignored by the image', () => {
  const linesOf = (path: string) => read(path).split('\n').filter(Boolean);
  const ignored = linesOf('.gitignore').map((line) => line.replace(/\/$/, ''));
  // Unlike git, docker takes a plain name for one at the top alone.
  const expected = ignored.map((line) => (line.includes('/') ? line : `**/${line}`));
  expect(linesOf('.dockerignore')).toEqual(expect.arrayContaining(expected));
  expect(ignored).toContain('.env*');
});
