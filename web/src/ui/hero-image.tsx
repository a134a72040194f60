import { usePreloaded } from './preloaded.ts';

/** The picture behind a page's first words, where the site has set one of its own. The stage light is there without it. */
export const HeroImage = ({ url }: { url: string }) => {
  const custom = url.startsWith('http') || url.startsWith('/images/') ? url : undefined;
  return usePreloaded(custom) === 'loaded' && custom ? (
    <img className="hero-image" src={custom} alt="" />
  ) : null;
};
