import { useEffect } from 'react';

declare global {
  interface Window {
    early?: { stop(): void; repeat(): void };
  }
}

export const stopEarly = (): void => window.early?.stop();

/** Replays clicks and input that were made before hydration. */
export const PressedEarly = () => {
  useEffect(() => {
    window.early?.repeat();
    window.early = undefined;
  }, []);
  return null;
};
