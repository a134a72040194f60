import { useEffect, useRef } from 'react';

const depthOf = (element: Element): number => element.getBoundingClientRect().top + scrollY;

/**
 * Keeps the last pressed or focused control in its place while notices above it change, so that a second
 * press doesn't hit another one. Replaces scroll anchoring.
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
      // If the user has scrolled the control out of view, don't move the page.
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
