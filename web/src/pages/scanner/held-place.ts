import { useEffect, useRef } from 'react';

/** How far an element is below the top of the page, wherever that is scrolled to. Pixels. */
const depthOf = (element: Element): number => element.getBoundingClientRect().top + scrollY;

/**
 * Keeps what was pressed last, or has the focus, where it is in the window while notices come and go above it, as long as it is in sight: a
 * second press must not hit another control. The page is scrolled by as much as its content has moved, instead of by the browser. Returns
 * the ref of the place whose controls these are.
 */
export const useHeldPlace = () => {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = place;
    if (!current) return;
    let held: Element | null = null;
    let depth = 0;
    const take = ({ target }: Event) => {
      held = target instanceof Element ? target.closest('button, input, select') : null;
      if (held) depth = depthOf(held);
    };
    const sizes = new ResizeObserver(() => {
      if (!held?.isConnected) return;
      const before = depth;
      depth = depthOf(held);
      // Who has scrolled it away looks elsewhere, perhaps at what has just come.
      const wasInSight = before + held.clientHeight > scrollY && before < scrollY + innerHeight;
      if (wasInSight) scrollBy(0, depth - before);
    });
    sizes.observe(document.body);
    current.addEventListener('pointerdown', take);
    current.addEventListener('focusin', take);
    return () => {
      sizes.disconnect();
      current.removeEventListener('pointerdown', take);
      current.removeEventListener('focusin', take);
    };
  }, []);
  return place;
};
