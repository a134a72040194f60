import 'virtual:tokens.css';
import './theme/base.css';
import './theme/kit.css';
import type { ReactNode } from 'react';
import { TamaguiProvider } from 'tamagui';
import { tamaguiConfig } from './theme/tamagui.config.ts';
import { Toasts } from './toast.tsx';

/** The theme, the stylesheets and the toasts: has to stand around the whole client. */
export const KitProvider = ({ children }: { children: ReactNode }) => (
  <TamaguiProvider config={tamaguiConfig} defaultTheme="dark">
    {children}
    <Toasts />
  </TamaguiProvider>
);
