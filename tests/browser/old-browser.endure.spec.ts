/** The oldest browsers that the site promises to work in: every page opens in one from which all that came after ES2022 was taken. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inChromium, leave, sharedSite, type Visit, visit } from '#tests/kit/browser.ts';
import { enter } from './people.ts';
import { shows } from './steps.ts';
import { views, type Who } from './views.ts';

/** Runs in the page: takes away what came after ES2022, and the younger parts of the DOM. */
const forgetWhatIsNew = (): void => {
  const forget = (from: object | undefined, names: readonly string[]): void => {
    for (const name of names) if (from) Reflect.deleteProperty(from, name);
  };
  const iterators = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
  forget(Array.prototype, ['findLast', 'findLastIndex', 'toReversed', 'toSorted', 'toSpliced', 'with']);
  forget(Uint8Array.prototype, ['toBase64', 'toHex', 'setFromBase64', 'setFromHex']);
  forget(Object.getPrototypeOf(Uint8Array.prototype), [
    ...['findLast', 'findLastIndex', 'toReversed', 'toSorted', 'with'],
  ]);
  forget(Uint8Array, ['fromBase64', 'fromHex']);
  forget(Array, ['fromAsync']);
  forget(String.prototype, ['isWellFormed', 'toWellFormed']);
  forget(Promise, ['withResolvers', 'try']);
  forget(Object, ['groupBy']);
  forget(Map, ['groupBy']);
  forget(Map.prototype, ['getOrInsert', 'getOrInsertComputed']);
  forget(Set.prototype, [
    ...['union', 'intersection', 'difference', 'symmetricDifference'],
    ...['isSubsetOf', 'isSupersetOf', 'isDisjointFrom'],
  ]);
  forget(ArrayBuffer.prototype, ['transfer', 'transferToFixedLength', 'resize']);
  forget(iterators, [
    ...['map', 'filter', 'take', 'drop', 'flatMap', 'reduce', 'toArray', 'forEach', 'some', 'every', 'find'],
  ]);
  forget(Intl, ['Segmenter', 'DurationFormat']);
  forget(Math, ['sumPrecise', 'f16round']);
  forget(RegExp, ['escape']);
  forget(Error, ['isError']);
  forget(JSON, ['rawJSON', 'isRawJSON']);
  forget(URL, ['canParse', 'parse']);
  forget(AbortSignal, ['any']);
  forget(HTMLElement.prototype, ['showPopover', 'hidePopover', 'togglePopover', 'popover']);
  forget(Element.prototype, ['checkVisibility', 'setHTMLUnsafe', 'setHTML', 'getHTML', 'moveBefore']);
  forget(Document.prototype, ['startViewTransition']);
  forget(globalThis, [
    'navigation',
    'scheduler',
    'Iterator',
    'CloseWatcher',
    'Temporal',
    'Sanitizer',
    'URLPattern',
  ]);
};

const PEOPLE: readonly Who[] = ['visitor', 'customer', 'staff', 'superuser'];

inChromium('an old browser', (browser) => {
  const seen = new Map<Who, Visit>();

  beforeAll(async () => {
    const { origin } = await sharedSite();
    for (const who of PEOPLE) {
      const one = await visit(browser(), origin, { width: 390, height: 844 });
      await one.page.context().addInitScript(forgetWhatIsNew);
      if (who !== 'visitor') await enter(one.page, `${who}@reprise.test`);
      seen.set(who, one);
    }
  });

  afterAll(async () => {
    for (const { page } of seen.values()) await leave(page);
  });

  /** One state of each address. */
  const shown = views.filter(
    ({ who, path }, at) => PEOPLE.includes(who) && views.findIndex((view) => view.path === path) === at,
  );
  test.each(shown.map((view) => [view.name, view] as const))('%s', async (_name, view) => {
    const { page: own, complaints } = seen.get(view.who) as Visit;
    // What a state leaves in its tab must not show in the next.
    const page = await own.context().newPage();
    complaints.length = 0;
    await page.goto(view.path);
    await view.act?.(page);
    await shows(page.getByText(view.words).filter({ visible: true }).first()).toBeVisible();
    expect(complaints.filter((text) => !view.expected?.some((known) => known.test(text)))).toEqual([]);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.close();
  });
});
