import { type RefObject, useEffect, useRef } from 'react';

/**
 * Where "Show more" leads: once more cards than before are there, the focus goes to the first of the new ones, unless the person has gone
 * elsewhere meanwhile.
 * @returns the grid's reference, and what is to be called when more are asked for
 */
export const useLedOn = (
  count: number,
): readonly [grid: RefObject<HTMLDivElement | null>, leadOn: () => void] => {
  const grid = useRef<HTMLDivElement>(null);
  const asked = useRef<{ readonly from: number; readonly at: Element | null }>(undefined);
  useEffect(() => {
    if (!asked.current || count <= asked.current.from) return;
    const { from, at } = asked.current;
    asked.current = undefined;
    const { activeElement, body } = document;
    // A button that had the focus and is gone leaves it to the body.
    if (activeElement !== at && activeElement !== body) return;
    grid.current?.children[from]?.querySelector('a')?.focus({ preventScroll: true });
  }, [count]);
  const leadOn = () => {
    asked.current = { from: count, at: document.activeElement };
  };
  return [grid, leadOn];
};
