import { createFont, createTamagui, createTokens } from 'tamagui';
import { colors, fontFamilies, radii, rem, spaces, typeSizes } from './tokens.ts';

/** The types accept only numbers, but Tamagui writes rem strings unchanged. */
const inRem = <Sizes extends Readonly<Record<string, number>>>(sizes: Sizes): Sizes =>
  Object.fromEntries(Object.entries(sizes).map(([name, pixels]) => [name, rem(pixels)])) as unknown as Sizes;

const size = inRem({ ...typeSizes, true: typeSizes.body });

const text = createFont({
  family: fontFamilies.text,
  size,
  lineHeight: inRem({
    ...{ small: 20, body: 25, lead: 29, title: 31, headline: 41, poster: 58, marquee: 88 },
    true: 25,
  }),
  weight: { true: '400' },
});

const display = createFont({
  family: fontFamilies.display,
  size,
  lineHeight: inRem({
    ...{ small: 18, body: 20, lead: 23, title: 28, headline: 37, poster: 53, marquee: 80 },
    true: 20,
  }),
  weight: { true: '700' },
});

const tokens = createTokens({
  color: colors,
  space: { ...spaces, true: 16 },
  size: { ...spaces, true: 44 },
  radius: { ...radii, true: radii.medium },
  zIndex: { base: 0, header: 20, bar: 30, toast: 60, true: 0 },
});

/** Tamagui's default configuration is too large. */
export const tamaguiConfig = createTamagui({
  tokens,
  themes: { dark: colors },
  fonts: { body: text, heading: display },
  media: {
    sm: { minWidth: 480 },
    md: { minWidth: 720 },
    lg: { minWidth: 1024 },
    xl: { minWidth: 1280 },
  },
  settings: { defaultFont: 'body', disableSSR: true, onlyAllowShorthands: false, styleCompat: 'web' },
});

export type AppTamaguiConfig = typeof tamaguiConfig;

declare module 'tamagui' {
  interface TamaguiCustomConfig extends AppTamaguiConfig {}
}
