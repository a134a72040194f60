import 'virtual:tokens.css';
import './theme/base.css';
import './theme/kit.css';
import type { ReactNode } from 'react';
import { TamaguiProvider } from 'tamagui';
import { tamaguiConfig } from './theme/tamagui.config.ts';
import { Toasts } from './toast.tsx';

/** The theme, the stylesheets and the toasts: has to stand around the whole client. */
export const KitProvider = ({ children }: { children: ReactNode }) => (
  // A page of the server has the kit's styles in its head: here they would be there twice, and without what is drawn after this.
  <TamaguiProvider config={tamaguiConfig} defaultTheme="dark" disableInjectCSS={import.meta.env.SSR}>
    {children}
    <Toasts />
  </TamaguiProvider>
);
