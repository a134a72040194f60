import { useEffect } from 'react';

declare global {
  interface Window {
    /** Presses the button again that was pressed before this script was there. Only on pages that were rendered on the server. */
    pressAgain?: () => void;
  }
}

/** Stands beside a page: what was pressed on it too early is pressed when the page can hear it. */
export const PressedEarly = () => {
  useEffect(() => {
    window.pressAgain?.();
    window.pressAgain = undefined;
  }, []);
  return null;
};
