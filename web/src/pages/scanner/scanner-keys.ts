/** Keys that follow one another this soon come from no fingers. Milliseconds. */
const QUICK = 50;
/** So many of them, and it is a scanner that types. Two are a person's shortcut, such as `g` and a letter. */
const ENOUGH = 3;
/** A scanner by radio stutters: what comes this soon after its last key is still its own. Milliseconds. */
const STUTTER = 200;

/** A code that a scanner has typed. */
export interface TypedCode<Place> {
  readonly text: string;
  /** The time of its first key, and where that was pressed. */
  readonly began: number;
  readonly place: Place;
}

/** Whose key it is: a person's, or a scanner's. With the key that ends a code comes the code. */
export type Typist<Place> = 'person' | 'scanner' | TypedCode<Place>;

/**
 * Tells the keys of a hardware scanner from a person's. Such a scanner is a keyboard to the browser: it types what it has read, far
 * quicker than people do, and then Enter or Tab (or both, or one of them twice). The function that is returned is told each key, its time
 * in milliseconds, and where it was pressed.
 */
export const scannerKeys = <Place>(): ((key: string, at: number, place: Place) => Typist<Place>) => {
  let run: TypedCode<Place> | undefined;
  let last = Number.NEGATIVE_INFINITY;
  let isScanner = false;
  return (key, at, place) => {
    const isEnd = key === 'Enter' || key === 'Tab';
    // Shift, for a capital, and whatever else writes nothing.
    if (!isEnd && key.length !== 1) return 'person';
    if (at - last > (isScanner ? STUTTER : QUICK)) {
      isScanner = false;
      run = undefined;
    }
    last = at;
    if (isEnd) {
      const typed = run;
      run = undefined;
      return isScanner ? (typed ?? 'scanner') : 'person';
    }
    run = { began: at, place, ...run, text: (run?.text ?? '') + key };
    isScanner ||= run.text.length >= ENOUGH;
    return isScanner ? 'scanner' : 'person';
  };
};
