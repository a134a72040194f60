import { type RefObject, useEffect, useRef } from 'react';
import { focusMain } from './focus-main.ts';

/**
 * When the focused button is removed or disabled and nothing else has the focus, moves it to the region's
 * head, or to the main content if the head is gone.
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
      // Dialog buttons vanish with their dialog, which returns the focus itself.
      if (!target.closest('dialog')) last.current = target;
    },
  };
};
