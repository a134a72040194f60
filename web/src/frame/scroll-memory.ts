import { useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { newId } from '../api/new-id.ts';
import { forTab, jsonOf } from '../lib/storage.ts';

const KEY = 'scroll';
const MOST = 50;
/** For how long to wait for a page to grow long enough, in milliseconds. */
const PATIENCE = 5_000;

const kept = (): readonly (readonly [string, number])[] => {
  const pairs = jsonOf(forTab.get(KEY));
  return Array.isArray(pairs) && pairs.every(Array.isArray) ? (pairs as [string, number][]) : [];
};

/**
 * How far each page was scrolled, in pixels, by the key of its entry in the browser's history. The browser would restore the
 * position itself, but too early: before the lists have loaded.
 */
const scrolled = new Map<string, number>(kept());

/** Takes over from the browser, before anything is shown. */
export const beginScrollMemory = (): void => {
  history.scrollRestoration = 'manual';
  // The router gives no key to the entry that a document begins with: all of them would have one place.
  if (!history.state?.key) history.replaceState({ ...history.state, key: newId() }, '');
  addEventListener('pagehide', () => forTab.set(KEY, JSON.stringify([...scrolled].slice(-MOST))));
};

/**
 * Scrolls down to `top` while the page grows, until it is long enough with nothing in it still loading, or the person does something.
 * Returns a function that ends it.
 */
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
 * Scrolls to the top of a new page, and to the former position of a page that the person goes back to. A page that only shows something
 * else is new if the header or the footer led there; what is pressed within a page stays where it is.
 */
export const useScrollMemory = (): void => {
  const { key, pathname, hash } = useLocation();
  const type = useNavigationType();
  const before = useRef(pathname);
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    // Who has read on in a page that was there before this script stays where they are.
    const isRead = isFirst.current && window.scrollY > 0;
    isFirst.current = false;
    const known = type === 'POP' && !hash && !isRead ? scrolled.get(key) : undefined;
    const stop = known ? scrollWhenLongEnough(known) : undefined;
    const within = (part: string) => !!document.activeElement?.closest(part);
    // A link to the very address that is shown replaces its entry, as filters do; only the header and the footer are sure to lead anew.
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
