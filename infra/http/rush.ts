import { pause } from '#infra/lib/outage.ts';
import type { App } from './server.ts';

/** How often it is looked whether changes are under way, in milliseconds. */
const LOOK = 20;
/** Work that can wait goes on after so many milliseconds, however many people wait: nothing waits for ever. */
const LONGEST = 1_000;

/** Lets work that can wait stand back while people wait for their changes. */
export interface Rush {
  /** Counts a server's changes. Call it before its routes are registered. */
  watch(app: App): void;
  /** Resolves when no change is under way, or `over` is aborted; a second later at most. Ask before each piece of work. */
  quietMoment(over: AbortSignal): Promise<void>;
}

/**
 * Counts the changes under way in this process. It does not ask how busy the event loop is: a loop that waits for a processor looks busy
 * too, and on a crowded machine the work would stand back although nobody buys.
 */
export const createRush = (): Rush => {
  let underWay = 0;
  return {
    watch(app) {
      app.addHook('onRequest', (request, reply, done) => {
        // Whoever hung up while a hook before this one waited is closed already, and would be counted for ever.
        if (request.method !== 'GET' && request.method !== 'HEAD' && !reply.raw.destroyed) {
          underWay++;
          // Comes also where the caller hangs up.
          reply.raw.once('close', () => underWay--);
        }
        done();
      });
    },
    async quietMoment(over) {
      for (let waited = 0; underWay > 0 && waited < LONGEST && !over.aborted; waited += LOOK)
        await pause(LOOK, over);
    },
  };
};
