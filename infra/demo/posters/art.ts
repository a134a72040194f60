/** What the drawings of all categories have in common: their palettes, and chance. */

/** Random numbers that are always the same for the same seed. */
export interface Chance {
  /** A number from `least` up to `most`. */
  between(least: number, most: number): number;
  /** A whole number, both ends included. */
  whole(least: number, most: number): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
}

/** The numbers of a seed (mulberry32 over an FNV-1a hash). */
export const chanceOf = (seed: string): Chance => {
  let state = 0x811c9dc5;
  for (const unit of seed) state = Math.imul(state ^ (unit.codePointAt(0) ?? 0), 0x01000193);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (least: number, most: number) => least + next() * (most - least);
  const whole = (least: number, most: number) => Math.floor(between(least, most + 1));
  return { between, whole, pick: (items) => items[whole(0, items.length - 1)] ?? items[0] };
};

/** The colours of one poster: `ink` on `ground` for the title, `note` for date and place, `colors` for the drawing. */
export interface Palette {
  readonly ground: string;
  readonly ink: string;
  readonly note: string;
  readonly colors: readonly string[];
}

/** Writes a palette in one line. */
export const palette = (
  ground: string,
  ink: string,
  note: string,
  ...colors: readonly string[]
): Palette => ({
  ground,
  ink,
  note,
  colors,
});

/** Draws the picture of a poster: SVG elements on a field of 1600 by 1600. */
export type Drawing = (chance: Chance, palette: Palette) => string;

/** How the posters of a category look. */
export interface Art {
  readonly palettes: readonly [Palette, ...Palette[]];
  readonly drawings: readonly [Drawing, ...Drawing[]];
  /** How the picture ends above the words: it fades out, or it is cut off like paper. */
  readonly edge: 'fade' | 'cut';
}
