/**
 * The client's pages while a browser translates them. A translator puts each text into an element of its own, and React then neither
 * finds the text that it wants to change nor the place beside it. So a text that changes is alone in its element, and so is a text
 * beside which something comes and goes. `tests/browser/translated.endure.spec.ts` buys on such pages.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '../web/src');

/** The parts of a syntax tree that matter here. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly value?: unknown;
  readonly name?: string;
  readonly children?: readonly Node[];
  readonly expression?: Node;
  readonly operator?: string;
  readonly left?: Node;
  readonly right?: Node;
  readonly consequent?: Node;
  readonly alternate?: Node;
  readonly callee?: Node;
  readonly property?: Node;
}

/** The names of variables and functions that give elements, never a bare text. */
const ELEMENTS = new Set([
  'after',
  'below',
  'children',
  'failed',
  'field',
  'map',
  'more',
  'open',
  'optionsOf',
  'results',
  'step',
  'story',
  'time',
]);

/** What a child of an element can be: a text that stays, a text that changes, or an element, which may come and go. */
type Kind = 'text' | 'changing text' | 'element' | 'element at times';

const kindsOf = (node: Node | undefined): readonly Kind[] => {
  switch (node?.type) {
    case 'JSXText':
      return /\S/.test(String(node.value)) ? ['text'] : [];
    case 'ChainExpression':
      return kindsOf(node.expression);
    case 'Literal':
      return typeof node.value === 'string' && node.value.trim() !== '' ? ['text'] : [];
    case 'JSXElement':
      return ['element'];
    case 'JSXFragment':
      return (node.children ?? []).flatMap(kindsOf);
    case 'JSXExpressionContainer':
      return kindsOf(node.expression);
    case 'JSXEmptyExpression':
      return [];
    case 'Identifier':
      return ELEMENTS.has(node.name ?? '') ? ['element at times'] : ['changing text'];
    case 'LogicalExpression':
      return atTimes(
        node.operator === '&&' ? kindsOf(node.right) : [...kindsOf(node.left), ...kindsOf(node.right)],
      );
    case 'ConditionalExpression':
      return atTimes([...kindsOf(node.consequent), ...kindsOf(node.alternate)]);
    case 'CallExpression':
      return ELEMENTS.has(node.callee?.property?.name ?? node.callee?.name ?? '')
        ? ['element at times']
        : ['changing text'];
    default:
      return ['changing text'];
  }
};

const atTimes = (kinds: readonly Kind[]): readonly Kind[] =>
  kinds.map((kind) => (kind === 'text' ? 'changing text' : kind === 'element' ? 'element at times' : kind));

/** Whether a translator's elements around the texts among these children would be in React's way. */
const breaks = (children: readonly Node[]): boolean => {
  const each = children.map(kindsOf).filter((kinds) => kinds.length > 0);
  if (each.length < 2) return false;
  const kinds = new Set(each.flat());
  return kinds.has('changing text') || (kinds.has('text') && kinds.has('element at times'));
};

const nodesIn = function* (node: unknown): Generator<Node> {
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node && typeof node.type === 'string') yield node as Node;
  for (const value of Object.values(node)) yield* nodesIn(value);
};

const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.tsx'),
);

test.each(sources)('%s puts changing texts in elements of their own', (file) => {
  const source = readFileSync(join(SOURCES, file), 'utf8');
  const broken = [...nodesIn(parseAst(source, { lang: 'tsx' }))]
    .filter(
      ({ type, children }) => (type === 'JSXElement' || type === 'JSXFragment') && breaks(children ?? []),
    )
    .map(({ start }) => `line ${source.slice(0, start).split('\n').length}`);
  expect(broken).toEqual([]);
});
