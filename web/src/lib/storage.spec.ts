import { beforeEach, expect, test, vi } from 'vitest';

/** A storage as browsers have it, which refuses what the spec says. */
const storage = (refuses: { reading?: boolean; writing?: boolean }) => {
  const kept = new Map<string, string>();
  const unless = (refused: boolean | undefined) => {
    if (refused) throw new DOMException('The operation is insecure.', 'SecurityError');
  };
  return {
    getItem(key: string) {
      unless(refuses.reading);
      return kept.get(key) ?? null;
    },
    setItem(key: string, value: string) {
      unless(refuses.writing);
      kept.set(key, value);
    },
    removeItem(key: string) {
      unless(refuses.writing);
      kept.delete(key);
    },
  };
};

const load = async () => {
  vi.resetModules();
  return import('./storage.ts');
};

/** Gives the browser a name that throws as soon as it is read, as Chromium does when all cookies are blocked. */
const forbid = (name: string) =>
  vi.spyOn(globalThis as never, name as never, 'get').mockImplementation(() => {
    throw new DOMException('Access is denied for this document.', 'SecurityError');
  });

beforeEach(() => {
  vi.unstubAllGlobals();
  vi.stubGlobal('localStorage', storage({}));
});

test('texts are stored by the browser if it allows that', async () => {
  const { forVisits } = await load();
  forVisits.set('a', '1');
  expect(localStorage.getItem('a')).toBe('1');
  forVisits.remove('a');
  expect(forVisits.get('a')).toBeNull();
  expect(localStorage.getItem('a')).toBeNull();
});

test.each([
  ['reading and writing', { reading: true, writing: true }],
  ['writing', { writing: true }],
])('a storage that refuses %s keeps texts in memory', async (_what, refuses) => {
  vi.stubGlobal('localStorage', storage(refuses));
  const { forVisits } = await load();
  expect(forVisits.get('a')).toBeNull();
  forVisits.set('a', '1');
  expect(forVisits.get('a')).toBe('1');
  forVisits.remove('a');
  expect(forVisits.get('a')).toBeNull();
});

test('a full storage drops its older text and accepts the next one', async () => {
  const refuses = { writing: false };
  vi.stubGlobal('localStorage', storage(refuses));
  const { forVisits } = await load();
  forVisits.set('a', 'older');
  refuses.writing = true;
  forVisits.set('a', 'newer');
  expect(forVisits.get('a')).toBe('newer');
  refuses.writing = false;
  forVisits.set('a', 'newest');
  expect(forVisits.get('a')).toBe('newest');
  expect(localStorage.getItem('a')).toBe('newest');
});

test('missing storage, channel and cookies cause no failure', async () => {
  forbid('localStorage');
  vi.stubGlobal('sessionStorage', null);
  vi.stubGlobal('BroadcastChannel', undefined);
  vi.stubGlobal('document', {
    get cookie() {
      throw new DOMException('The document is sandboxed.', 'SecurityError');
    },
  });
  const { forVisits, forTab, keepsCookies, openChannel, readCookies } = await load();
  for (const kept of [forVisits, forTab]) {
    kept.set('a', '1');
    expect(kept.get('a')).toBe('1');
  }
  openChannel('session', () => undefined)();
  expect(readCookies()).toBe('');
  expect(keepsCookies()).toBe(false);
});

test('the test for cookies leaves none behind', async () => {
  let jar = 'theme=dark';
  vi.stubGlobal('document', {
    get cookie() {
      return jar;
    },
    set cookie(text: string) {
      jar = text.includes('Max-Age=0') ? 'theme=dark' : `theme=dark; ${text.split(';')[0]}`;
    },
  });
  const { keepsCookies } = await load();
  expect(keepsCookies()).toBe(true);
  expect(document.cookie).toBe('theme=dark');
  vi.stubGlobal('document', { cookie: '' });
  Object.defineProperty(document, 'cookie', { get: () => '', set: () => undefined });
  expect(keepsCookies()).toBe(false);
});

test('foreign values in the storage of JSON are ignored', async () => {
  const { jsonOf } = await load();
  expect(jsonOf('{"quantity":2}')).toEqual({ quantity: 2 });
  for (const text of [null, '', '{"quantity":', 'undefined']) expect(jsonOf(text)).toBeUndefined();
});
