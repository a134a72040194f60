import { useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';

/**
 * How far down somebody was on each page of their way, in pixels, by the entry of the browser's history. The browser's own
 * memory is of no use here: it looks before the lists are there. Kept for the tab, over a reload too.
 */
const KEY = 'places';
const MOST = 50;
/** A page that has not grown long enough by then stays where it is. Milliseconds. */
const PATIENCE = 5_000;

const places = new Map<string, number>(JSON.parse(sessionStorage.getItem(KEY) ?? '[]'));
history.scrollRestoration = 'manual';
addEventListener('pagehide', () => sessionStorage.setItem(KEY, JSON.stringify([...places].slice(-MOST))));

/** Goes down to a place as soon as the page is long enough, unless the person goes somewhere first. Returns how to stop it. */
const goDownTo = (place: number): (() => void) => {
  const own = new AbortController();
  const stop = () => {
    own.abort();
    growth.disconnect();
    clearTimeout(timer);
  };
  const growth = new ResizeObserver(() => {
    window.scrollTo(0, place);
    if (document.documentElement.scrollHeight >= place + window.innerHeight) stop();
  });
  const timer = setTimeout(stop, PATIENCE);
  for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    addEventListener(type, stop, { signal: own.signal, passive: true });
  growth.observe(document.body);
  return stop;
};

/** A new page starts at the top; one that was left before is where it was left. */
export const usePlaces = (): void => {
  const { key, pathname, hash } = useLocation();
  const back = useNavigationType() === 'POP';
  const before = useRef(pathname);
  useLayoutEffect(() => {
    const known = back && !hash ? places.get(key) : undefined;
    const stop = known ? goDownTo(known) : undefined;
    if (!known && before.current !== pathname) window.scrollTo(0, 0);
    before.current = pathname;
    const remember = () => {
      places.delete(key);
      places.set(key, window.scrollY);
    };
    addEventListener('scroll', remember, { passive: true });
    return () => {
      stop?.();
      removeEventListener('scroll', remember);
    };
  }, [key, pathname, hash, back]);
};
