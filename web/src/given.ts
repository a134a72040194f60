import { GIVEN_DATA } from '#domain/contracts/envelope.ts';
import type { GivenData } from '#domain/contracts/rendering.ts';
import { rememberedSignedIn } from './api/auth.ts';
import { heardTime } from './api/clock.ts';
import { queryClient } from './api/queries.ts';
import { consentGiven } from './frame/consent.ts';

/** For how long what the page came with is kept where nothing shows it, in milliseconds. Lists are asked anew on each visit anyway. */
const KEPT = 10_000;
/** When what the page came with, and nobody has asked for since, is asked anew. Milliseconds. */
const ASKED_ANEW_AFTER = 1_000;

/**
 * Takes what a page was rendered with on the server. False where it came without, or was rendered for a stranger and this browser knows
 * better, as of how much of a list was unfolded: then it is drawn from the beginning.
 */
export const takeGiven = async (): Promise<boolean> => {
  const data = document.getElementById(GIVEN_DATA);
  if (!data || rememberedSignedIn() || consentGiven() || history.state?.usr) return false;
  // What draws the page, which the head already fetches: without it, the empty page would be drawn first.
  const scripts = document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload][data-page]');
  await Promise.all(Array.from(scripts, ({ href }) => import(/* @vite-ignore */ href)));
  const { queries, at }: GivenData = JSON.parse(data.textContent);
  // As though it had just been answered: what depends on the time was drawn at this one.
  heardTime(new Date(at).toUTCString());
  for (const [queryKey, answer] of queries)
    queryClient
      .getQueryCache()
      .build(queryClient, { queryKey, gcTime: KEPT })
      .setData(answer, { updatedAt: at, manual: true });
  // The page may be a minute old. React has to have taken over all of it first: it would find other data than it was drawn with.
  setTimeout(() => {
    queryClient.invalidateQueries({
      predicate: ({ state }) => state.dataUpdatedAt === at && state.fetchStatus === 'idle',
    });
  }, ASKED_ANEW_AFTER);
  return true;
};
