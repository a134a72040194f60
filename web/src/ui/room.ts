import { useSyncExternalStore } from 'react';

/** Whether the window is at least so many pixels wide. For what stands elsewhere then; what only looks different is a matter for the stylesheets. */
export const useRoom = (width: number): boolean => {
  const query = `(min-width: ${width}px)`;
  return useSyncExternalStore(
    (changed) => {
      const room = matchMedia(query);
      room.addEventListener('change', changed);
      return () => room.removeEventListener('change', changed);
    },
    () => matchMedia(query).matches,
    // Where a page is rendered for strangers there is no window.
    () => false,
  );
};
