/** Renders pages in a worker thread of the query API (`query-api/pages/renderer.ts`). Built separately into `web/dist-server`. */
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { hashKey, type QueryKey } from '@tanstack/react-query';
import { renderToPipeableStream } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import type { RenderResult, RenderTask } from '#domain/contracts/rendering.ts';
import { answerFrom } from '#web/lib/api/client.ts';
import { queryClient } from '#web/lib/api/query-client.ts';
import { USER } from '#web/lib/api/session.ts';
import { tamaguiConfig } from '#web/ui/theme/tamagui.config.ts';
import { App } from './app.tsx';

const htmlOf = (path: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { pipe } = renderToPipeableStream(
      <StaticRouter location={path}>
        <App />
      </StaticRouter>,
      {
        // Parts streamed later would need a script in the page to move them into place.
        progressiveChunkSize: Number.POSITIVE_INFINITY,
        onError: reject,
        onAllReady: () => text(pipe(new PassThrough())).then(resolve, reject),
      },
    );
  });

/** Excludes the session query: nobody is signed in on the server. */
const unanswered = () =>
  queryClient
    .getQueryCache()
    .getAll()
    .filter(({ state, queryKey, options }) => {
      const { enabled } = options as { enabled?: unknown };
      return state.data === undefined && enabled !== false && hashKey(queryKey) !== hashKey(USER);
    });

/** Renders for a signed-out visitor, one page at a time. The task carries the API's answers; the result names missing ones. */
export default async ({ path, answers }: RenderTask): Promise<RenderResult> => {
  queryClient.clear();
  const asks = new Set<string>();
  answerFrom(async (asked) => {
    const known = answers[asked];
    if (known) return new Response(known.body, known);
    asks.add(asked);
    throw new Error('not known yet');
  });
  let html = await htmlOf(path);
  for (let open = unanswered(); open.length > 0; open = unanswered()) {
    await Promise.all(
      open.map(({ queryKey, options: { queryFn } }) =>
        // A failure is recorded in `asks`, or detected below as an unanswered query.
        queryClient.fetchQuery({ queryKey, queryFn, retry: false }).catch(() => undefined),
      ),
    );
    if (asks.size > 0) return { asks: [...asks] };
    if (unanswered().length >= open.length) throw new Error('the page has questions without an answer');
    html = await htmlOf(path);
  }
  const known = queryClient.getQueryCache().getAll();
  return {
    page: {
      html,
      css: tamaguiConfig.getCSS(),
      given: {
        at: Date.now(),
        queries: known
          .filter(({ state }) => state.data !== undefined)
          .map(({ queryKey, state }): [QueryKey, unknown] => [queryKey, state.data]),
      },
    },
  };
};
