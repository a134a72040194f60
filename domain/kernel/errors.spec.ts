import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errors } from './errors.ts';

const root = join(import.meta.dirname, '../..');
const ROOMS = ['domain', 'infra', 'command-api', 'query-api', 'projector', 'web/src'];

/** The house's sources, without specs and without the catalogue. */
const sources = ROOMS.flatMap((room) =>
  readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.spec\.tsx?$/.test(file))
    .map((file) => join(root, room, file)),
)
  .filter((file) => file !== join(import.meta.dirname, 'errors.ts'))
  .map((file) => readFileSync(file, 'utf8'));

const documented = new Map(
  [
    ...readFileSync(join(root, 'docs/errors.md'), 'utf8').matchAll(
      /^\| `([A-Z_]+)` \| (\d{3}) \| (.+?) \| (.+?) \|$/gm,
    ),
  ].map(([, code = '', status = '', message = '', when = '']) => [
    code,
    { status: Number(status), message, when },
  ]),
);

describe('the catalogue of errors', () => {
  it.each(Object.entries(errors))('is documented correctly for %s', (code, { status, message }) => {
    expect(documented.get(code)).toMatchObject({ status, message });
    expect(documented.get(code)?.when.length).toBeGreaterThan(10);
  });

  it('has every documented code', () => {
    expect([...documented.keys()].filter((code) => !Object.hasOwn(errors, code))).toEqual([]);
  });

  it('has no unused code', () => {
    const all = sources.join('\n');
    const used = (code: string) => new RegExp(`(['"\`])${code}\\1|\\b${code}:|\\.${code}\\b`).test(all);
    expect(Object.keys(errors).filter((code) => !used(code))).toEqual([]);
  });

  it('has every used code', () => {
    const refusals = /(?:\breject|\bRefusal|\brefuse[a-zA-Z]*)\(\s*['"]([A-Z][A-Z_]+)['"]/g;
    const used = new Set(
      sources.flatMap((source) => [...source.matchAll(refusals)].map(([, code = '']) => code)),
    );
    expect(used.size).toBeGreaterThan(20);
    expect([...used].filter((code) => !Object.hasOwn(errors, code))).toEqual([]);
  });

  it('has a known status and a one-line message for each code', () => {
    for (const { status, message } of Object.values(errors)) {
      expect([400, 401, 403, 404, 405, 408, 409, 410, 413, 415, 422, 426, 429, 431, 500, 503]).toContain(
        status,
      );
      expect(message).not.toMatch(/[|\n]/);
    }
  });
});
