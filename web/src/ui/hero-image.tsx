import { usePreloaded } from './preloaded.ts';

export const HeroImage = ({ url }: { url: string }) => {
  const custom = url.startsWith('http') || url.startsWith('/images/') ? url : undefined;
  return usePreloaded(custom) === 'loaded' && custom ? (
    <img className="hero-image" src={custom} alt="" />
  ) : null;
};
