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

/** How long a person waits for a rendered page, in milliseconds. Beyond that they get the empty one, and the next one who asks this. */
const PATIENCE = 700;
/** For how long a page is not rendered anew, in milliseconds. Browsers ask for what changes on it anyway, once they have the scripts. */
const FRESH = 5_000;
/** For how long an older one is sent while a new one is rendered, in milliseconds. */
const USABLE = 60_000;
const MOST_KEPT = 50;
/** Pages that wait for the thread. With more, people get the empty one. */
const MOST_WAITING = 8;
/** For how long a thread without work keeps the client's code, in milliseconds. */
const IDLE = 600_000;
/** How often a page may learn something that makes it ask for more. */
const MOST_ROUNDS = 4;

/** Asks the API as a stranger would. */
export type AskApi = (path: string) => Promise<GivenAnswer>;

/** A rendered page, with the scripts that its browser needs first: the page's own, then what that imports. Files of the client's folder. */
export interface PageWithScripts extends RenderedPage {
  readonly scripts: readonly string[];
}

export interface Renderer {
  /**
   * The page at a path, with its query.
   * @param module the client's file that draws it, below `web/src`
   * @returns undefined where it can't be had in time: the client draws it then
   */
  render(path: string, module: string, ask: AskApi): Promise<PageWithScripts | undefined>;
  close(): Promise<void>;
}

/** A page that is kept: the newest, or the one before it while that is drawn. */
interface Kept {
  at: number;
  page: Promise<PageWithScripts | undefined>;
  isDrawing: boolean;
}

/** A part of Vite's manifest: what a script is named, and what it imports. */
type Manifest = Readonly<Record<string, { readonly file: string; readonly imports?: readonly string[] }>>;

/** The built scripts of a module, its own first. @throws Error where it was not built */
const scriptsOf = (manifest: Manifest, module: string): readonly string[] => {
  if (!manifest[module]) throw new Error(`the client has no ${module}`);
  const found = new Set<string>();
  const add = (name: string): void => {
    const script = manifest[name];
    if (!script || found.has(script.file)) return;
    found.add(script.file);
    for (const one of script.imports ?? []) add(one);
  };
  add(module);
  return [...found];
};

/** @param onError is told why a page could not be rendered */
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
  readonly onError: (error: unknown, path: string) => void;
}): Renderer => {
  const pool = new Piscina<RenderTask, RenderResult>({
    filename: pathToFileURL(program).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE,
    // What the process was started with is not for the thread, nor are the site's secrets.
    execArgv: [],
    env: {},
  });
  const kept = new Map<string, Kept>();
  const readManifest = async (): Promise<Manifest> =>
    JSON.parse(await readFile(join(client, '.vite/manifest.json'), 'utf8'));

  const draw = async (path: string, module: string, ask: AskApi): Promise<PageWithScripts | undefined> => {
    if (pool.queueSize >= MOST_WAITING) return undefined;
    const answers: Record<string, GivenAnswer> = {};
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const result = await pool.run({ path, answers });
      if ('page' in result) return { ...result.page, scripts: scriptsOf(await readManifest(), module) };
      await Promise.all(
        result.asks.map(async (asked) => {
          answers[asked] = await ask(asked);
        }),
      );
      // Such as an event that there isn't: the client says so.
      if (result.asks.some((asked) => (answers[asked]?.status ?? 500) >= 400)) return undefined;
    }
    throw new Error(`${path} asks for ever more`);
  };

  const pageFor = (path: string, module: string, ask: AskApi): Promise<PageWithScripts | undefined> => {
    const known = kept.get(path);
    const age = now() - (known?.at ?? 0);
    if (known && (known.isDrawing || (age >= 0 && age < FRESH))) return known.page;
    const drawn = draw(path, module, ask).catch((error: unknown) => {
      onError(error, path);
      return undefined;
    });
    const isUsable = known && age >= 0 && age < USABLE;
    const entry: Kept = { at: now(), page: isUsable ? known.page : drawn, isDrawing: true };
    kept.delete(path);
    kept.set(path, entry);
    drawn.then((page) => {
      if (page) Object.assign(entry, { page: drawn, at: now(), isDrawing: false });
      else if (kept.get(path) === entry) kept.delete(path);
    });
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    return entry.page;
  };

  return {
    async render(path, module, ask) {
      if (!existsSync(program)) return undefined;
      const over = new AbortController();
      const late = pause(PATIENCE, undefined, { signal: over.signal }).catch(() => undefined);
      try {
        return await Promise.race([pageFor(path, module, ask), late]);
      } finally {
        over.abort();
      }
    },
    close: () => pool.destroy(),
  };
};
