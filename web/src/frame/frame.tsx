import { lazy, type ReactNode, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { focusMain } from '../kit/focus-main.ts';
import { Box } from '../ui/box.tsx';
import { CookieBanner } from './cookie-banner.tsx';
import { CrashScreen } from './crash.tsx';
import { Header } from './header.tsx';
import { PressedEarly } from './pressed-early.tsx';
import { useScrollMemory } from './scroll-memory.ts';

/** It is below everything else, so its code may come later. */
const Footer = lazy(async () => ({ default: (await import('./footer.tsx')).Footer }));

/** The cookie banner, header and footer around every page. When the page changes, the focus moves to its content. */
export const Frame = ({ children }: { children: ReactNode }) => {
  const { pathname } = useLocation();
  useScrollMemory();
  const before = useRef(pathname);
  // A layout effect: with a later one, a person who types at once would lose the focus and what they type.
  useLayoutEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    // Whoever goes through the header's cities by arrows has not chosen the last one yet.
    if (document.activeElement?.tagName !== 'SELECT') focusMain();
  }, [pathname]);
  return (
    <Box minHeight="100dvh">
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <CookieBanner />
      <Header />
      <main id="main" tabIndex={-1} style={{ flex: 1 }}>
        <CrashScreen waiting={<Box minHeight="100vh" />} place={pathname}>
          {children}
          <PressedEarly />
        </CrashScreen>
      </main>
      <CrashScreen waiting={null} instead={null}>
        <Footer />
      </CrashScreen>
    </Box>
  );
};
