import { type RefObject, useEffect, useRef } from 'react';
import { focusMain } from '../frame/focus-main.ts';

/**
 * Keeps the focus in a list whose rows may go: where the button goes, or is disabled, that has it or has opened a dialog, it comes to the
 * list's head, or to the page's content where the whole list has gone, so that Tab goes on from there.
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
