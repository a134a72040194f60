import { beforeEach, expect, test, vi } from 'vitest';

/** The channel to the other tabs: what was told, and a way to hear something from them. */
let told: unknown[];
let hear: (said: unknown) => void;

beforeEach(() => {
  vi.resetModules();
  told = [];
  const kept = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      set onmessage(listen: (event: { readonly data: unknown }) => void) {
        hear = (data) => listen({ data });
      }
      postMessage(said: unknown): void {
        told.push(said);
      }
    },
  );
});

test('other tabs are told how far to read to see what this one did, and do', async () => {
  const { tellOtherTabs } = await import('./auth.ts');
  const { sawPosition, seenPosition } = await import('./position.ts');
  hear('a-log:5');
  expect(seenPosition()).toBe('a-log:5');
  // From a tab with an older program, or one that has seen nothing.
  for (const said of ['changed', undefined]) hear(said);
  expect(seenPosition()).toBe('a-log:5');
  sawPosition('a-log:7');
  tellOtherTabs();
  expect(told).toEqual(['a-log:7']);
});
