/** What a stranger's first page costs: the guard of the client's size. The client is built before these specs: see `running-site.ts`. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { CLIENT_FOLDER } from '#infra/http/client-pages.ts';

const MOST = 150_000;

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
}

const read = (file: string): string => readFileSync(join(CLIENT_FOLDER, file), 'utf8');

/** The files behind entries of Vite's manifest, with all that they import before they run. */
const filesOf = (entries: readonly string[]): ReadonlySet<string> => {
  const manifest: Readonly<Record<string, Chunk>> = JSON.parse(read('.vite/manifest.json'));
  const files = new Set<string>();
  const follow = (name: string): void => {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`the build has no ${name}`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    chunk.imports?.forEach(follow);
  };
  entries.forEach(follow);
  return files;
};

test('the first page is at most 150 kB of JavaScript, gzipped', () => {
  const named = [...read('index.html').matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(
    ([, file = '']) => file,
  );
  expect(named).not.toEqual([]);
  const files = new Set([...named, ...filesOf(['index.html', 'src/app/pages/landing.tsx'])]);
  const sizes = [...files].map((file) => [file, gzipSync(read(file)).length] as const);
  const whole = sizes.reduce((sum, [, size]) => sum + size, 0);
  expect(whole, sizes.map(([file, size]) => `${size} ${file}`).join('\n')).toBeLessThanOrEqual(MOST);
});

test('the scanner’s camera and reader, and Stripe’s library, are not on the first page', () => {
  const textOf = (files: Iterable<string>): string => [...files].map(read).join('');
  const first = textOf(filesOf(['index.html', 'src/app/pages/landing.tsx']));
  const whole = textOf(globSync('assets/*.js', { cwd: CLIENT_FOLDER }));
  const heavy = ['RenderedCameraImpl', 'zxing_reader', 'js.stripe.com'];
  expect(heavy.filter((name) => first.includes(name))).toEqual([]);
  expect(heavy.filter((name) => !whole.includes(name))).toEqual([]);
  // The old reader of the scanner's library, of which only the camera is used.
  expect(whole).not.toContain('ChecksumException');
  // What the audit trail says of an event, beside whose declaration the client finds other things.
  expect(whole).not.toContain('Put back to review');
  // What the router's development build warns of.
  expect(whole).not.toContain('No routes matched location');
});
