import 'virtual:tokens.css';
import './theme/base.css';
import './theme/every-page.css';
import type { ReactNode } from 'react';
import { TamaguiProvider } from 'tamagui';
import { tamaguiConfig } from './theme/tamagui.config.ts';
import { Toasts } from './toast.tsx';

/** Must wrap the whole client. */
export const UiProvider = ({ children }: { children: ReactNode }) => (
  // Server-rendered pages have the styles in their head; injecting them here would duplicate them
  // incompletely.
  <TamaguiProvider config={tamaguiConfig} defaultTheme="dark" disableInjectCSS={import.meta.env.SSR}>
    {children}
    <Toasts />
  </TamaguiProvider>
);
