/** How the site's own words are written. Those that the specification quotes stay as they stand there. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst, Visitor } from 'vite';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const QUOTED = ["Passwords don't match", "You don't have permission to access the admin panel."];

/** The texts in a program's file. Names of modules and of things are among them. */
const textsOf = (file: string): readonly string[] => {
  const texts: string[] = [];
  const take = ({ value }: { readonly value: unknown }) => typeof value === 'string' && texts.push(value);
  new Visitor({
    Literal: take,
    JSXText: take,
    TemplateElement: ({ value }) => texts.push(value.raw),
  }).visit(parseAst(readFileSync(file, 'utf8'), { lang: file.endsWith('x') ? 'tsx' : 'ts' }));
  return texts;
};

// Loose files are programs, whose help is typed in a terminal.
const programs = '{domain,web/src,command-api/*,query-api/*}/**/*.{ts,tsx}';
const texts = [
  ...globSync(programs, { cwd: ROOT })
    .filter((file) => !/\.spec\.ts$|\.d\.ts$/.test(file))
    .flatMap((file) => textsOf(join(ROOT, file))),
  ...globSync('infra/mail/templates/*.liquid', { cwd: ROOT }).flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8').split('\n'),
  ),
].filter((text) => !QUOTED.includes(text));

test('texts use ’ as the apostrophe', () => {
  expect(texts.filter((text) => /\p{L}'\p{L}/u.test(text))).toEqual([]);
});

test('texts spell email without a hyphen', () => {
  expect(texts.filter((text) => /\be-mails?\b/i.test(text))).toEqual([]);
});
