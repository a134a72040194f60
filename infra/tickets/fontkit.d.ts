/** Types for the parts of fontkit that set text and turn it into outlines. The package has none of its own. */
declare module 'fontkit' {
  export interface Glyph {
    readonly id: number;
    readonly path: { toSVG(): string };
  }
  export interface GlyphRun {
    readonly glyphs: readonly Glyph[];
    /** In font units, from left to right as they are drawn. */
    readonly positions: readonly {
      readonly xAdvance: number;
      readonly xOffset: number;
      readonly yOffset: number;
    }[];
    readonly advanceWidth: number;
  }
  export interface Subset {
    /** The glyphs taken so far, by their numbers in the whole font. */
    readonly glyphs: readonly number[];
    /** The bytes of a font with these glyphs alone. */
    encode(): Uint8Array;
  }
  export interface Font {
    readonly unitsPerEm: number;
    /** In font units; `descent` is negative. */
    readonly ascent: number;
    readonly descent: number;
    readonly lineGap: number;
    /** Of a font whose weight varies: its axes, the weight (`wght`) among them. */
    readonly variationAxes: Readonly<Record<string, { readonly default: number }>>;
    hasGlyphForCodePoint(codePoint: number): boolean;
    layout(
      text: string,
      features?: Readonly<Record<string, boolean>>,
      script?: string,
      language?: string,
      direction?: 'ltr' | 'rtl',
    ): GlyphRun;
    createSubset(): Subset;
  }
  export function openSync(file: string): Font;
}
