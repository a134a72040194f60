import { useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { newId } from '#web/lib/new-id.ts';
import { forTab, jsonOf } from '#web/lib/storage.ts';

const KEY = 'scroll';
const MOST = 50;
/** Milliseconds to wait until the page is long enough. */
const PATIENCE = 5_000;

const kept = (): readonly (readonly [string, number])[] => {
  const pairs = jsonOf(forTab.get(KEY));
  return Array.isArray(pairs) && pairs.every(Array.isArray) ? (pairs as [string, number][]) : [];
};

/** Scroll offsets in pixels by history key. The browser's own restoration runs before lists have loaded. */
const scrolled = new Map<string, number>(kept());

export const beginScrollMemory = (): void => {
  history.scrollRestoration = 'manual';
  // The router gives a document's first entry no key, so all of them would share one offset.
  if (!history.state?.key) history.replaceState({ ...history.state, key: newId() }, '');
  addEventListener('pagehide', () => forTab.set(KEY, JSON.stringify([...scrolled].slice(-MOST))));
};

/** Stops when the page is long enough with nothing loading, or the user interacts. Returns a function that stops it. */
const scrollWhenLongEnough = (top: number): (() => void) => {
  const own = new AbortController();
  const stop = () => {
    own.abort();
    growth.disconnect();
    clearTimeout(timer);
  };
  const growth = new ResizeObserver(() => {
    window.scrollTo(0, top);
    const { scrollHeight } = document.documentElement;
    if (scrollHeight >= top + window.innerHeight && !document.querySelector('[aria-busy=true]')) stop();
  });
  const timer = setTimeout(stop, PATIENCE);
  for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    addEventListener(type, stop, { signal: own.signal, passive: true });
  growth.observe(document.body);
  return stop;
};

/**
 * Scrolls to the top of new pages and restores the offset on Back. Navigation within a path scrolls up only
 * from the header or footer.
 */
export const useScrollMemory = (): void => {
  const { key, pathname, hash } = useLocation();
  const type = useNavigationType();
  const before = useRef(pathname);
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    // Keep the position if the user scrolled before hydration.
    const isRead = isFirst.current && window.scrollY > 0;
    isFirst.current = false;
    const known = type === 'POP' && !hash && !isRead ? scrolled.get(key) : undefined;
    const stop = known ? scrollWhenLongEnough(known) : undefined;
    const within = (part: string) => !!document.activeElement?.closest(part);
    // Links to the current address replace the entry, as filters do; only header and footer certainly
    // navigate.
    const isNew =
      before.current !== pathname ||
      (type === 'PUSH' && !within('main')) ||
      (type === 'REPLACE' && within('header, footer'));
    if (!known && isNew) window.scrollTo(0, 0);
    before.current = pathname;
    const remember = () => {
      scrolled.delete(key);
      scrolled.set(key, window.scrollY);
    };
    addEventListener('scroll', remember, { passive: true });
    return () => {
      stop?.();
      removeEventListener('scroll', remember);
    };
  }, [key, pathname, hash, type]);
};
