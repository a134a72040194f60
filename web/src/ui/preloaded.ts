import { useEffect, useState } from 'react';

const RETRIES = 2;
const PAUSE = 1_000;

type ImageState = 'loading' | 'loaded' | 'failed';

/** Preloads an image with two retries, then reports failure (specification, sections 8 and 9). */
export const usePreloaded = (url: string | undefined): ImageState => {
  const [state, setState] = useState<ImageState>('loading');
  useEffect(() => {
    if (!url) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wanted = true;
    const attempt = (count: number) => {
      const image = new Image();
      image.onload = () => wanted && setState('loaded');
      image.onerror = () => {
        if (!wanted) return;
        if (count > RETRIES) {
          setState('failed');
          console.error('Failed to load image', url);
        } else timer = setTimeout(() => attempt(count + 1), PAUSE * count);
      };
      image.src = url;
    };
    setState('loading');
    attempt(1);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [url]);
  return state;
};
