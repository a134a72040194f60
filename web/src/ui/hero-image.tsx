import { usePreloaded } from './preloaded.ts';

/** The picture at the top of the landing page and the home page, where the site has configured one. */
export const HeroImage = ({ url }: { url: string }) => {
  const custom = url.startsWith('http') || url.startsWith('/images/') ? url : undefined;
  return usePreloaded(custom) === 'loaded' && custom ? (
    <img className="hero-image" src={custom} alt="" />
  ) : null;
};
