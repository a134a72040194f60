import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { json, text } from 'node:stream/consumers';
import type { PosterFacts } from '#domain/answers/picture.ts';
import { openImageStore } from '#infra/images/image-store.ts';
import { bareEnvironment } from '#infra/lib/machine.ts';
import { Turns } from '#infra/lib/turns.ts';

interface Posters {
  readonly folder: string;
  readonly posters: readonly PosterFacts[];
}

const AT_ONCE = 3;

/**
 * Paths in the same order.
 * @throws when `signal` aborts
 */
export const drawPosters = async (given: Posters, signal: AbortSignal): Promise<readonly string[]> => {
  const child = spawn(process.execPath, [import.meta.filename], {
    env: bareEnvironment(),
    stdio: ['pipe', 'pipe', 'inherit'],
    signal,
  });
  const ended = once(child, 'exit');
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(given));
  const [paths, [code]] = await Promise.all([text(child.stdout), ended]);
  if (code !== 0) throw new Error(`the posters could not be drawn: the process ended with ${code}`);
  return JSON.parse(paths);
};

if (import.meta.main) {
  // The fonts are large, and the caller draws nothing.
  const { drawPoster } = await import('#infra/posters/poster.ts');
  const { folder, posters } = (await json(process.stdin)) as Posters;
  const images = openImageStore(folder);
  const turns = new Turns(AT_ONCE);
  const draw = async (poster: PosterFacts) => (await images.storeDrawing(drawPoster(poster))).path;
  const paths = await Promise.all(posters.map((poster) => turns.take(() => draw(poster))));
  process.stdout.write(JSON.stringify(paths));
}
