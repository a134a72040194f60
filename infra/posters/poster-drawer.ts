import { Piscina } from 'piscina';
import { type PosterFacts, posterPath } from '#domain/answers/picture.ts';

const KEPT = 200;
const IDLE = 30_000;

export interface PosterDrawer {
  draw(facts: PosterFacts): Promise<string>;
  close(): Promise<void>;
}

export const openPosterDrawer = (): PosterDrawer => {
  const pool = new Piscina<PosterFacts, string>({
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE,
    // The thread must not get the process's arguments or the site's secrets.
    execArgv: [],
    env: {},
  });
  // With each task: otherwise a module that fails to load would end the process.
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
