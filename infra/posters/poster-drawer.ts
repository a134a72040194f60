import { Piscina } from 'piscina';
import { type PosterFacts, posterPath } from '#domain/answers/picture.ts';

/** So many posters are kept, some 35 kB each. */
const KEPT = 200;
/** For how long the thread keeps its fonts open while it draws nothing, in milliseconds. */
const IDLE = 30_000;

export interface PosterDrawer {
  /** A listing's poster as SVG. */
  draw(facts: PosterFacts): Promise<string>;
  /** Ends the thread. What is being drawn fails. */
  close(): Promise<void>;
}

/** Draws posters in a thread, since each takes milliseconds of processor. It starts with the first poster. */
export const openPosterDrawer = (): PosterDrawer => {
  const pool = new Piscina<PosterFacts, string>({
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE,
    // What the process was started with is not for the thread, nor are the site's secrets.
    execArgv: [],
    env: {},
  });
  // Named with each task: otherwise a program that can't be loaded would end the process.
  const task = { filename: new URL('poster.ts', import.meta.url).href, name: 'drawPoster' };
  const kept = new Map<string, Promise<string>>();
  return {
    draw({ id, category, title, date, venue, city }) {
      const facts = { id, category, title, date, venue, city };
      const path = posterPath(facts);
      const poster = kept.get(path) ?? pool.run(facts, task);
      kept.delete(path);
      kept.set(path, poster);
      poster.catch(() => kept.delete(path));
      const [oldest = ''] = kept.keys();
      if (kept.size > KEPT) kept.delete(oldest);
      return poster;
    },
    close: () => pool.destroy(),
  };
};
