/**
 * Renders the client's pages for strangers (`web/src/server.tsx`), whose browsers have yet to fetch its scripts: they see the page with what
 * is on it before those have come, as do search engines that run none. In a thread of its own, so that nobody who asks something waits for
 * the drawing of a page.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Piscina } from 'piscina';
import type { GivenAnswer, RenderedPage, RenderResult, RenderTask } from '#domain/contracts/rendering.ts';

/** What renders pages, as it was built beside the client. */
const PROGRAM = join(import.meta.dirname, '../../web/dist-server/server.js');

/** How long a person waits for a rendered page, in milliseconds. Then they get the empty one; the rendered one is kept for the next who ask. */
const PATIENCE = 700;
/** For how long a page is not rendered anew, in milliseconds. Browsers ask for what changes on it anyway, once they have the scripts. */
const FRESH = 5_000;
/** For how long an older one is sent while there is no newer one, in milliseconds. */
const USABLE = 60_000;
const MOST_KEPT = 50;
/** Pages that wait for the thread. With more, people get the empty one. */
const MOST_WAITING = 8;
/** How long one may take the thread, in milliseconds. */
const LONGEST = 10_000;
/** For how long a thread without work keeps the client's code, in milliseconds. */
const IDLE = 600_000;
/** How far the thread stands back behind the event loop, as `nice` counts: a sale goes before its pages. */
const STAND_BACK = 5;
/** What the thread may hold, in MB; it needs 20. With more it ends, and begins anew: the site is not to end with a page. */
const MEMORY = { maxYoungGenerationSizeMb: 3, maxOldGenerationSizeMb: 48 };
/** How often a page may learn something that makes it ask for more. */
const MOST_ROUNDS = 4;

/** Asks the API as a stranger would. */
export type AskApi = (path: string) => Promise<GivenAnswer>;

/** A rendered page, with the scripts that its browser needs first. Files of the client's folder. */
export interface PageWithScripts extends RenderedPage {
  /** What draws the page, and waits for what that imports. */
  readonly scripts: readonly string[];
  readonly imported: readonly string[];
}

/** Renders pages, until it is closed. */
export interface Renderer {
  /**
   * The page at a path, with its query.
   * @param module the client's file that draws it, below `web/src`
   * @returns undefined where it can't be had in time: the client draws it then
   */
  render(path: string, module: string, ask: AskApi): Promise<PageWithScripts | undefined>;
  close(): Promise<void>;
}

/** A part of Vite's manifest: what a script is named, and what it imports. */
type Manifest = Readonly<Record<string, { readonly file: string; readonly imports?: readonly string[] }>>;

/** On every page, and as late. */
const FOOTER = 'src/frame/footer.tsx';

/** The built scripts of a page. @throws Error where it was not built */
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

/** @param onError is told why the page of a module could not be rendered */
export const openRenderer = ({
  client,
  program = PROGRAM,
  now,
  onError,
}: {
  /** The folder of the built client. */
  readonly client: string;
  /** The file of what renders pages. */
  readonly program?: string;
  readonly now: () => number;
  readonly onError: (error: unknown, module: string) => void;
}): Renderer => {
  const pool = new Piscina<RenderTask, RenderResult>({
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE,
    niceIncrement: STAND_BACK,
    // What the process was started with is not for the thread, nor are the site's secrets.
    execArgv: [],
    env: {},
    resourceLimits: MEMORY,
    // Else its threads sleep between tasks without an end of their turn: what React leaves for that piles up, with the page that it is of.
    atomics: 'disabled',
  });
  // A thread that ends by itself has told so to whom it worked for.
  pool.on('error', () => undefined);
  /** Named with each task: a program that can't be loaded would otherwise be nobody's failure, and end the process. */
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
      // Such as an event that there isn't: the client says so.
      if (result.asks.some((asked) => (answers[asked]?.status ?? 500) >= 400)) return undefined;
    }
    throw new Error('the page asks for ever more');
  };

  /** Draws a page for all who ask for it meanwhile. The former one stays where that fails. */
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
        // A thread that is ended with the site fails nobody.
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
      // Nobody waits for a thread that has yet to load the client.
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
