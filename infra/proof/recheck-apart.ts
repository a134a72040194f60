import { Worker } from 'node:worker_threads';
import type { Finding } from '#domain/contracts/log-proofs.ts';

export interface ThreadData {
  readonly databaseUrl: string;
  readonly logUrl: string;
  readonly publicKeys: readonly Uint8Array<ArrayBuffer>[];
}

export type ThreadNews =
  | { readonly compared: number }
  | { readonly size: number; readonly findings: readonly Finding[] };

export const recheckApart = (
  data: ThreadData,
  signal: AbortSignal,
  say: (compared: number) => void,
): Promise<{ readonly size: number; readonly findings: readonly Finding[] }> =>
  new Promise((done, failed) => {
    // The thread must not get the process's arguments or the site's secrets.
    const thread = new Worker(new URL('recheck-thread.ts', import.meta.url), {
      workerData: data,
      execArgv: [],
      env: {},
    });
    const stop = () => {
      failed(signal.reason);
      void thread.terminate();
    };
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    thread.on('message', (news: ThreadNews) => {
      if ('findings' in news) done(news);
      else say(news.compared);
    });
    thread.on('error', failed);
    thread.on('exit', (code) => {
      signal.removeEventListener('abort', stop);
      failed(new Error(`the recheck ended with ${code}`));
    });
  });
