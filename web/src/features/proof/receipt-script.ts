import type { Receipt } from '#domain/contracts/log-proofs.ts';
import { keyBytes, openReceipt } from '#domain/proof/proof.ts';
import { count } from '#web/lib/formatters/count.ts';
import { exactly, valueInWords, wordsOfType } from '#web/lib/formatters/event.ts';

const parsed = <Value>(id: string): Value => JSON.parse(document.getElementById(id)?.textContent ?? '');

const element = (name: string, text: string, className = ''): HTMLElement => {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = className;
  return made;
};

const FIRST = /^(reference|quantity|total|startsAt|title|amount|refund|percent)$/;
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

interface Fact {
  readonly path: readonly string[];
  readonly value: string;
}

const factsOf = (value: unknown, path: readonly string[] = []): Fact[] => {
  if (typeof value === 'string' && INSTANT.test(value)) return [{ path, value: exactly(value) }];
  if (typeof value !== 'object' || value === null) return [{ path, value: valueInWords(value, path.at(-1)) }];
  if ('$sealed' in value) return [{ path, value: 'sealed: it names a person' }];
  return Object.entries(value).flatMap(([key, inner]) => factsOf(inner, [...path, key]));
};

const listOf = (facts: readonly Fact[]): HTMLElement => {
  const list = element('dl', '');
  for (const { path, value } of facts)
    list.append(element('dt', wordsOfType(path.join(' '))), element('dd', value));
  return list;
};

const foldOf = (title: string, content: HTMLElement): HTMLElement => {
  const fold = element('details', '');
  fold.append(element('summary', title), content);
  return fold;
};

const readable = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return { data: text };
  }
};

const verdictOf = async (
  receipt: Receipt,
  keys: readonly string[],
): Promise<readonly [tone: string, badge: string, words: string]> => {
  const unable = [
    'warn',
    'Can’t be checked here',
    'This browser can’t check signatures. Open this page in another, or use the program verify-log.',
  ] as const;
  if (!globalThis.crypto?.subtle) return unable;
  try {
    const checkpoint = await openReceipt(receipt, keys.map(keyBytes));
    if (!checkpoint)
      return [
        'bad',
        'Not proven',
        'What this page holds is not what the key below has signed. Somebody changed it.',
      ];
    const words = `This page has just checked it, without a network: it is among the ${count(checkpoint.size)} entries that ${checkpoint.origin} has signed.`;
    return ['good', 'Proven', words];
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotSupportedError') return unable;
    return ['bad', 'Not proven', 'What this page holds can’t be read as a receipt. Somebody changed it.'];
  }
};

const show = async (): Promise<void> => {
  const receipt = parsed<Receipt>('receipt');
  const { keys, site } = parsed<{ keys: readonly string[]; site: string }>('published');
  const { entry, index, checkpoint } = receipt;
  const [tone, badge, words] = await verdictOf(receipt, keys);
  const verdict = element('p', badge, 'badge');
  verdict.dataset.tone = tone;
  const facts = factsOf(readable(entry.data));
  const isTold = ({ path }: Fact): boolean => path.length < 3 && FIRST.test(path.at(-1) ?? '');
  const print = element('button', 'Print it');
  print.onclick = () => window.print();
  document
    .querySelector('main')
    ?.replaceChildren(
      element('p', `Receipt from ${site}`, 'dim'),
      element('h1', wordsOfType(entry.type)),
      verdict,
      element('p', `It is entry ${count(index + 1)} of the log.`, 'strong'),
      element('p', words),
      listOf([
        { path: ['recorded'], value: exactly(entry.recordedAt) },
        { path: ['stream'], value: `${entry.stream}, event ${entry.revision + 1}` },
        ...facts.filter(isTold),
      ]),
      foldOf('All that it says', listOf(facts.filter((fact) => !isTold(fact)))),
      element('h2', 'What it rests on'),
      element(
        'p',
        `The key that signed it. Compare it with the one at ${site}/.well-known/checkpoint-keys.json, or better with one that you wrote down before: who forges a page can put a key of their own in.`,
      ),
      ...keys.map((key) => element('pre', key)),
      element('p', 'The checkpoint that was signed:'),
      element('pre', checkpoint),
      element('p', 'The program verify-log checks this file too:'),
      element('pre', `npx verify-log --key ${keys[0] ?? ''} --receipt FILE`),
      foldOf('As the machine has it', element('pre', JSON.stringify(receipt, null, 2))),
      print,
    );
};

void show();
