import { listen } from '#infra/postgres/listener.ts';
import { SESSION_ENDED } from './sessions.ts';

export interface SessionEndings {
  /** Calls `end` once the session has ended or its rights changed, or if that may have gone unnoticed. */
  follow(sessionId: string, end: () => void): () => void;
  close(): Promise<void>;
}

export const followSessionEndings = (url: string): SessionEndings => {
  const followed = new Map<string, Set<() => void>>();
  const end = (sessionId: string): void => {
    for (const one of followed.get(sessionId) ?? []) one();
  };
  const listener = listen({
    url,
    channel: SESSION_ENDED,
    onNotify: end,
    // Notifications may have been missed.
    onConnect: () => [...followed.keys()].forEach(end),
  });
  return {
    follow(sessionId, run) {
      const ofSession = followed.get(sessionId) ?? new Set();
      followed.set(sessionId, ofSession.add(run));
      return () => {
        ofSession.delete(run);
        if (ofSession.size === 0 && followed.get(sessionId) === ofSession) followed.delete(sessionId);
      };
    },
    close: () => listener.close(),
  };
};
