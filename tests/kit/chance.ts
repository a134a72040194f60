/** Seeded chance: the same seed rolls the same (what other processes make of it depends on their timing). */
export interface Chance {
  roll(): number;
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** A generator of its own, whose rolls don't depend on what others take from this one. */
  child(name: string | number): Chance;
}

const hash = (text: string): number => {
  let state = 2_166_136_261;
  for (const character of text) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16_777_619);
  return state >>> 0;
};

/** Mulberry32: small, and good enough to be unfair in many ways. */
export const chanceOf = (seed: number | string): Chance => {
  let state = hash(String(seed));
  const roll = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (least: number, most: number): number => least + Math.floor(roll() * (most - least + 1));
  return {
    roll,
    between,
    pick(items) {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new RangeError('nothing to pick from');
      return item;
    },
    child: (name) => chanceOf(`${seed}/${name}`),
  };
};
