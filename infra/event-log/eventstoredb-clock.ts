/** The protocol of EventStoreDB has no call for its time, but every node says it in the header of an answer over HTTP. */

/** How long a node may take to answer, in milliseconds. */
const PATIENCE = 5_000;
const ADDRESS = /^esdb(?:\+discover)?:\/\/(?:[^@/]*@)?([^/?#]+)/i;

/**
 * By how much this machine's clock is ahead of the store's, in milliseconds, to about a second. Undefined where no node says:
 * one with a certificate of its own authority, for example, is not believed.
 */
export const aheadOfStore = async (url: string): Promise<number | undefined> => {
  const scheme = /[?&]tls=false/i.test(url) ? 'http' : 'https';
  for (const node of ADDRESS.exec(url)?.[1]?.split(',') ?? []) {
    const origin = `${scheme}://${/:\d+$/.test(node) ? node : `${node}:2113`}`;
    const answer = await fetch(`${origin}/ping`, { signal: AbortSignal.timeout(PATIENCE) }).catch(
      () => undefined,
    );
    await answer?.body?.cancel();
    const said = Date.parse(answer?.headers.get('date') ?? '');
    if (!Number.isNaN(said)) return Date.now() - said;
  }
  return undefined;
};
