/**
 * The only place for colours, radii and type sizes; the build turns it into custom properties, which paint
 * the page before any script runs. Text colours pass WCAG AA on `ink`, `raised` and `lifted`; `edge` passes
 * 3:1 as a control's outline.
 */

export const colors = {
  /** The background of pages. */
  ink: '#0f0c14',
  /** Cards and panels. */
  raised: '#19151f',
  /** Surfaces on a card, and a hovered card. */
  lifted: '#231d2c',
  /** Dividing lines. */
  line: '#2c2635',
  /** Outlines of controls. */
  edge: '#7a6d88',
  paper: '#f4eee6',
  /** Secondary text. */
  dim: '#b3a9b8',
  /** The next step. */
  lime: '#d7ff3e',
  limeLit: '#e4ff7a',
  /** Text on `lime` and on the categories' hues. */
  onLime: '#14110a',

  concerts: '#ff8068',
  dining: '#ffb454',
  nightlife: '#b79cff',
  culture: '#45d4c0',

  /** Always use together with a word or a shape. */
  good: '#5fe39a',
  warn: '#ffc74d',
  bad: '#ff8585',
  goodGround: '#11291d',
  warnGround: '#2c2310',
  badGround: '#331619',
  /** The scanner's answer, which fills the screen. */
  admit: '#0b6b3a',
  refuse: '#a3161f',
  /** Behind a dialog. */
  veil: 'rgba(8, 6, 11, 0.78)',
  /** Behind bars that float over a page. */
  glass: 'rgba(15, 12, 20, 0.86)',
} as const;

/** Pixels. */
export const radii = { small: 8, medium: 12, large: 16, huge: 24, pill: 999 } as const;

/** The 4 px grid; names are pixels. */
export const spaces = {
  0: 0,
  4: 4,
  8: 8,
  12: 12,
  16: 16,
  20: 20,
  24: 24,
  32: 32,
  40: 40,
  48: 48,
  64: 64,
  80: 80,
  96: 96,
} as const;

/** Scales with the browser's font size. */
export const rem = (pixels: number): string => `${pixels / 16}rem`;

/** Pixels. */
export const typeSizes = {
  small: 14,
  body: 16,
  lead: 19,
  title: 24,
  headline: 34,
  poster: 52,
  marquee: 84,
} as const;

export const fontFamilies = {
  display: "'Bricolage Grotesque Variable', 'Bricolage Fallback', system-ui, sans-serif",
  text: "'Inter Variable', 'Inter Fallback', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
} as const;

export const shadows = {
  lift: 'inset 0 1px 0 rgba(244, 238, 230, 0.06)',
  float: '0 16px 48px rgba(0, 0, 0, 0.5), inset 0 1px 0 rgba(244, 238, 230, 0.06)',
} as const;

export const tokenStyles = (): string => {
  const lines = [
    ...Object.entries(colors).map(([name, value]) => `--${name}: ${value};`),
    ...Object.entries(radii).map(([name, value]) => `--radius-${name}: ${value}px;`),
    ...Object.entries(typeSizes).map(([name, value]) => `--type-${name}: ${rem(value)};`),
    ...Object.entries(shadows).map(([name, value]) => `--shadow-${name}: ${value};`),
    ...Object.entries(fontFamilies).map(([name, value]) => `--font-${name}: ${value};`),
  ];
  return `:root {\n  ${lines.join('\n  ')}\n}\n`;
};
