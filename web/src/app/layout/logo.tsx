import { Link } from 'react-router-dom';
import { useSite } from '#web/lib/api/site.ts';
import { LogoFrame, LogoImage, LogoMark, Wordmark } from '#web/ui/logo.tsx';
import { usePreloaded } from '#web/ui/preloaded.ts';

export const Logo = () => {
  const { siteName, logoUrl } = useSite();
  const custom = logoUrl.startsWith('http') ? logoUrl : undefined;
  const image = usePreloaded(custom);
  return (
    <LogoFrame render={<Link to="/" aria-label={`${siteName}, home`} />}>
      {custom && image !== 'failed' ? (
        image === 'loaded' && <LogoImage url={custom} name={siteName} />
      ) : (
        <>
          <Wordmark>{siteName}</Wordmark>
          <LogoMark />
        </>
      )}
    </LogoFrame>
  );
};
