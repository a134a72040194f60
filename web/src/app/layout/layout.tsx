import { lazy, type ReactNode, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { focusMain } from '#web/lib/focus-main.ts';
import { Box } from '#web/ui/box.tsx';
import { CrashScreen } from '#web/ui/crash.tsx';
import { CookieBanner } from './cookie-banner.tsx';
import { Header } from './header.tsx';
import { PressedEarly } from './pressed-early.tsx';
import { useScrollMemory } from './scroll-memory.ts';

const Footer = lazy(async () => ({ default: (await import('./footer.tsx')).Footer }));

export const Layout = ({ children }: { children: ReactNode }) => {
  const { pathname } = useLocation();
  useScrollMemory();
  const before = useRef(pathname);
  // A passive effect would steal the focus from a user who types at once.
  useLayoutEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    // Arrow keys may still be choosing a city.
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
