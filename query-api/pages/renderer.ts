/** Runs in a thread, so that rendering (`web/src/app/server.tsx`) does not delay API answers. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Piscina } from 'piscina';
import type { GivenAnswer, RenderedPage, RenderResult, RenderTask } from '#domain/contracts/rendering.ts';

const PROGRAM = join(import.meta.dirname, '../../web/dist-server/server.js');

/** Milliseconds; then the request gets the empty page, and later ones the late result. */
const PATIENCE = 700;
/** Milliseconds. */
const FRESH = 5_000;
/** Milliseconds for which a stale page is sent while there is no newer one. */
const USABLE = 60_000;
const MOST_KEPT = 50;
/** Beyond it, requests get the empty page. */
const MOST_WAITING = 8;
/** Milliseconds. */
const LONGEST = 10_000;
/** Milliseconds. */
const IDLE = 600_000;
/** `nice` increment: sales come before pages. */
const STAND_BACK = 5;
/** Exceeding it restarts the thread, not the site. The thread needs 20 MB. */
const MEMORY = { maxYoungGenerationSizeMb: 3, maxOldGenerationSizeMb: 48 };
const MOST_ROUNDS = 4;

export type AskApi = (path: string) => Promise<GivenAnswer>;

export interface PageWithScripts extends RenderedPage {
  readonly scripts: readonly string[];
  readonly imported: readonly string[];
}

export interface Renderer {
  /** @returns undefined if it is not ready in time: the client renders it then */
  render(path: string, module: string, ask: AskApi): Promise<PageWithScripts | undefined>;
  close(): Promise<void>;
}

type Manifest = Readonly<Record<string, { readonly file: string; readonly imports?: readonly string[] }>>;

const FOOTER = 'src/app/layout/footer.tsx';

const scriptsOf = (manifest: Manifest, module: string): Pick<PageWithScripts, 'scripts' | 'imported'> => {
  const found = new Set<string>();
  const add = (name: string): void => {
    const script = manifest[name];
    if (!script || found.has(script.file)) return;
    found.add(script.file);
    for (const one of script.imports ?? []) add(one);
  };
  const scripts = [module, FOOTER].map((name) => {
    add(name);
    const { file } = manifest[name] ?? {};
    if (file === undefined) throw new Error(`the client has no ${name}`);
    return file;
  });
  return { scripts, imported: [...found].filter((file) => !scripts.includes(file)) };
};

export const openRenderer = ({
  client,
  program = PROGRAM,
  now,
  onError,
}: {
  readonly client: string;
  readonly program?: string;
  readonly now: () => number;
  readonly onError: (error: unknown, module: string) => void;
}): Renderer => {
  const pool = new Piscina<RenderTask, RenderResult>({
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE,
    niceIncrement: STAND_BACK,
    // The thread must not get the process's options or the site's secrets.
    execArgv: [],
    env: {},
    resourceLimits: MEMORY,
    // Otherwise threads block between tasks without ending their turn, and React's pending work and its
    // pages leak.
    atomics: 'disabled',
  });
  // The task's caller already gets the error.
  pool.on('error', () => undefined);
  /** With each task: otherwise a program that can't be loaded ends the process. */
  const filename = pathToFileURL(program).href;
  let isClosed = false;
  const kept = new Map<string, { readonly page: PageWithScripts; readonly at: number }>();
  const drawing = new Map<string, Promise<PageWithScripts | undefined>>();
  const readManifest = async (): Promise<Manifest> =>
    JSON.parse(await readFile(join(client, '.vite/manifest.json'), 'utf8'));

  const draw = async (path: string, module: string, ask: AskApi): Promise<PageWithScripts | undefined> => {
    const answers: Record<string, GivenAnswer> = {};
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const signal = AbortSignal.timeout(LONGEST);
      const result = await pool.run({ path, answers }, { filename, signal });
      if ('page' in result) return { ...result.page, ...scriptsOf(await readManifest(), module) };
      await Promise.all(
        result.asks.map(async (asked) => {
          answers[asked] = await ask(asked);
        }),
      );
      if (result.asks.some((asked) => (answers[asked]?.status ?? 500) >= 400)) return undefined;
    }
    throw new Error('the page asks for ever more');
  };

  /** Concurrent requests share one rendering. On failure, the previous page stays. */
  const drawOnce = (path: string, module: string, ask: AskApi): Promise<PageWithScripts | undefined> => {
    const begun = drawing.get(path);
    if (begun) return begun;
    const drawn = draw(path, module, ask)
      .then((page) => {
        if (!page) return undefined;
        kept.delete(path);
        kept.set(path, { page, at: now() });
        const [oldest] = kept.keys();
        if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
        return page;
      })
      .catch((error: unknown) => {
        // Shutting down aborts the thread.
        if (!isClosed) onError(error, module);
        return undefined;
      })
      .finally(() => drawing.delete(path));
    drawing.set(path, drawn);
    return drawn;
  };

  return {
    async render(path, module, ask) {
      if (!existsSync(program)) return undefined;
      const known = kept.get(path);
      const age = known ? now() - known.at : -1;
      if (known && age >= 0 && age < FRESH) return known.page;
      // Don't wait for a thread that has yet to load the client.
      const isReady = pool.threads.length > 0;
      const isFull = !drawing.has(path) && pool.queueSize >= MOST_WAITING;
      const drawn = isFull ? undefined : drawOnce(path, module, ask);
      if (known && age >= 0 && age < USABLE) return known.page;
      if (!drawn || !isReady) return undefined;
      const over = new AbortController();
      const late = pause(PATIENCE, undefined, { signal: over.signal }).catch(() => undefined);
      try {
        return await Promise.race([drawn, late]);
      } finally {
        over.abort();
      }
    },
    close() {
      isClosed = true;
      return pool.destroy();
    },
  };
};
