import { useSyncExternalStore } from 'react';

/** Only for structural differences at a width in pixels; use stylesheets for appearance. */
export const useRoom = (width: number): boolean => {
  const query = `(min-width: ${width}px)`;
  return useSyncExternalStore(
    (changed) => {
      const room = matchMedia(query);
      room.addEventListener('change', changed);
      return () => room.removeEventListener('change', changed);
    },
    () => matchMedia(query).matches,
    () => false,
  );
};
