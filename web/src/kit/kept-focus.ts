import { type RefObject, useEffect, useRef } from 'react';
import { focusMain } from './focus-main.ts';

/**
 * Keeps the focus in a part of the page whose buttons may go, such as a list's with their rows. Where the button goes, or is disabled, that
 * had it last and nothing else has it, it comes to the part's head, or to the page's content where the whole part has gone, so that Tab goes
 * on from there. Returns the part's handlers.
 */
export const useKeptFocus = (head: RefObject<HTMLElement | null>) => {
  const last = useRef<Element>(undefined);
  useEffect(() => {
    const { activeElement, body } = document;
    if (!last.current || activeElement !== body) return;
    if (last.current.isConnected && !last.current.matches(':disabled')) return;
    last.current = undefined;
    if (head.current) head.current.focus({ preventScroll: true });
    else focusMain();
  });
  return {
    onFocus: ({ target }: { readonly target: Element }) => {
      // A dialog's own buttons go with it.
      if (!target.closest('dialog')) last.current = target;
    },
  };
};
