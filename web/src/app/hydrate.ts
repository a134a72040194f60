import { GIVEN_DATA } from '#domain/contracts/envelope.ts';
import type { GivenData } from '#domain/contracts/rendering.ts';
import { queryClient } from '#web/lib/api/query-client.ts';
import { rememberedSignedIn } from '#web/lib/api/session.ts';
import { heardTime } from '#web/lib/clock.ts';
import { consentGiven } from './layout/consent.ts';

/** Milliseconds; unused server-rendered query data is then collected. */
const KEPT = 10_000;
/** Milliseconds until unused server-rendered query data is refetched. */
const ASKED_ANEW_AFTER = 1_000;

/**
 * Seeds the query cache from the server-rendered page. False if it can't be hydrated: not server-rendered,
 * or this browser's state differs (session, consent, history state).
 */
export const takeHydratedState = async (): Promise<boolean> => {
  const data = document.getElementById(GIVEN_DATA);
  if (!data || rememberedSignedIn() || consentGiven() || history.state?.usr) return false;
  // Without the page's chunks, hydration would render the empty page first.
  const scripts = document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload][data-page]');
  await Promise.all(Array.from(scripts, ({ href }) => import(/* @vite-ignore */ href)));
  const { queries, at }: GivenData = JSON.parse(data.textContent);
  // Set the clock to the render time, so that time-dependent output hydrates identically.
  heardTime(new Date(at).toUTCString());
  for (const [queryKey, answer] of queries)
    queryClient
      .getQueryCache()
      .build(queryClient, { queryKey, gcTime: KEPT })
      .setData(answer, { updatedAt: at, manual: true });
  // The page may be a minute old. Hydration must finish first, as it would fail with different data.
  setTimeout(() => {
    queryClient.invalidateQueries({
      predicate: ({ state }) => state.dataUpdatedAt === at && state.fetchStatus === 'idle',
    });
  }, ASKED_ANEW_AFTER);
  return true;
};
