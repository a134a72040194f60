/** Rehearsals of the past, as they go on. */
import { useEffect, useRef, useState } from 'react';
import type { DoorNews, SaleNews } from '#domain/contracts/rehearsal.ts';
import { withinLimit } from './limit.ts';

/** The lines of an answer as they come. It ends with the answer, or when the caller leaves. @throws NoAnswer where nothing comes for as long as a call may take */
async function* linesOf(answer: Response, signal: AbortSignal): AsyncGenerator<string, void> {
  const reader = answer.body?.getReader();
  const leave = () => reader?.cancel();
  signal.addEventListener('abort', leave);
  const words = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const part = await withinLimit(async () => reader?.read(), signal);
      if (!part?.value) return;
      const pieces = (rest + words.decode(part.value, { stream: true })).split('\n');
      rest = pieces.pop() ?? '';
      yield* pieces;
    }
  } finally {
    signal.removeEventListener('abort', leave);
    await reader?.cancel();
  }
}

/** What a rehearsal has told, and whether it goes on. */
export interface Rehearsal {
  readonly state: 'none' | 'playing' | 'stopped' | 'ended' | 'failed';
  readonly sale?: SaleNews;
  readonly door?: DoorNews;
  readonly error?: unknown;
}

/** A rehearsal at a time. It ends when the person stops it or leaves the page. */
export const useRehearsal = () => {
  const [rehearsal, setRehearsal] = useState<Rehearsal>({ state: 'none' });
  const leaving = useRef<AbortController>(undefined);
  const stop = () => leaving.current?.abort();
  useEffect(() => () => leaving.current?.abort(), []);

  /** @param ask asks for the rehearsal */
  const start = async (what: 'sale' | 'door', ask: (signal: AbortSignal) => Promise<Response>) => {
    stop();
    const mine = new AbortController();
    leaving.current = mine;
    const { signal } = mine;
    setRehearsal({ state: 'playing' });
    try {
      let done = false;
      for await (const line of linesOf(await ask(signal), signal)) {
        if (signal.aborted) break;
        // What this site's own server sends needs no second check.
        const news = JSON.parse(line) as SaleNews & DoorNews;
        done = news.done;
        setRehearsal({ state: done ? 'ended' : 'playing', [what]: news });
      }
      if (!done && leaving.current === mine) setRehearsal((before) => ({ ...before, state: 'stopped' }));
    } catch (error) {
      if (leaving.current !== mine) return;
      if (signal.aborted) setRehearsal((before) => ({ ...before, state: 'stopped' }));
      else setRehearsal({ state: 'failed', error });
    }
  };
  return { rehearsal, start, stop };
};
