import { type RefObject, useEffect, useRef } from 'react';

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
    // When the focused button is removed, `activeElement` becomes the body.
    if (activeElement !== at && activeElement !== body) return;
    grid.current?.children[from]?.querySelector('a')?.focus({ preventScroll: true });
  }, [count]);
  const leadOn = () => {
    asked.current = { from: count, at: document.activeElement };
  };
  return [grid, leadOn];
};
