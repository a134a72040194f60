import { useEffect } from 'react';

declare global {
  interface Window {
    /** What people did before this script was there (`public/early-press.js`). Only on pages that were rendered on the server. */
    early?: { stop(): void; repeat(): void };
  }
}

/** From now on the page hears itself. */
export const stopEarly = (): void => window.early?.stop();

/** Stands beside a page: what was pressed or typed on it too early is done again when the page can hear it. */
export const PressedEarly = () => {
  useEffect(() => {
    window.early?.repeat();
    window.early = undefined;
  }, []);
  return null;
};
