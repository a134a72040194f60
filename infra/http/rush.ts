import { pause } from '#infra/lib/outage.ts';
import type { App } from './server.ts';

const LOOK = 20;
/** Milliseconds. */
const LONGEST = 1_000;

export interface Rush {
  watch(app: App): void;
  quietMoment(over: AbortSignal): Promise<void>;
}

/** Counts changes: event-loop delay looks busy on a crowded machine, and the work would starve. */
export const createRush = (): Rush => {
  let underWay = 0;
  return {
    watch(app) {
      app.addHook('onRequest', (request, reply, done) => {
        // A client that has disconnected is already closed and would never be uncounted.
        if (request.method !== 'GET' && request.method !== 'HEAD' && !reply.raw.destroyed) {
          underWay++;
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
