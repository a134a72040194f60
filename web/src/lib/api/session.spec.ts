import { beforeEach, expect, test, vi } from 'vitest';
import type { User } from '#domain/contracts/auth.ts';
import { SIGNED_IN_HINT } from '#domain/contracts/envelope.ts';

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

test('other tabs learn the position that they must read from, and use it', async () => {
  const { tellOtherTabs } = await import('./session.ts');
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

test('an answer from before a sign-in does not sign the person out again', async () => {
  const { signedIn, USER, whoIsSignedIn } = await import('./session.ts');
  const { queryClient } = await import('./query-client.ts');
  vi.stubGlobal('document', { cookie: `${SIGNED_IN_HINT}=1` });
  let answer = (_: Response) => {};
  vi.stubGlobal('fetch', () => new Promise((resolve) => (answer = resolve)));
  const asked = whoIsSignedIn();
  const ada = { id: 'ada' } as User;
  signedIn(ada);
  // Of the session that had ended before.
  answer(Response.json({ code: 'UNAUTHORIZED' }, { status: 401 }));
  // Whoever has asked hears what is known by now.
  expect(await asked).toBe(ada);
  await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(queryClient.getQueryData(USER)).toBe(ada);
});
