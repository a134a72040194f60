import { listen } from '#infra/postgres/listener.ts';
import { SESSION_ENDED } from './sessions.ts';

/** Tells when a session has ended or lost rights, whichever process did it: for what goes on beyond a request, such as a live stream. */
export interface SessionEndings {
  /** Runs `end` once the session has ended or has other rights, or when that may have been missed. The returned function takes it back. */
  follow(sessionId: string, end: () => void): () => void;
  close(): Promise<void>;
}

/** Follows the endings of all sessions of a database. */
export const followSessionEndings = (url: string): SessionEndings => {
  const followed = new Map<string, Set<() => void>>();
  const end = (sessionId: string): void => {
    for (const one of followed.get(sessionId) ?? []) one();
  };
  const listener = listen({
    url,
    channel: SESSION_ENDED,
    onNotify: end,
    // What was sent while the connection was broken is lost.
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
