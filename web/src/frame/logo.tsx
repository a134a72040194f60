import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useSite } from '../api/site.ts';
import { LogoFrame, LogoImage, LogoMark, Wordmark } from '../ui/logo.tsx';

/** The configured logo where it is an image on the web, else the site's name; the name too where the image fails. */
export const Logo = () => {
  const { siteName, logoUrl } = useSite();
  const [broken, setBroken] = useState(false);
  const image = logoUrl.startsWith('http') && !broken;
  return (
    <LogoFrame render={<Link to="/" aria-label={`${siteName}, home`} />}>
      {image ? (
        <LogoImage url={logoUrl} name={siteName} onError={() => setBroken(true)} />
      ) : (
        <>
          <Wordmark>{siteName}</Wordmark>
          <LogoMark />
        </>
      )}
    </LogoFrame>
  );
};
