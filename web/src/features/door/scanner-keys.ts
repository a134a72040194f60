/** Milliseconds between keys that only a hardware scanner achieves. */
const QUICK = 50;
/** Two quick keys may be a shortcut, such as `g` and a letter. */
const ENOUGH = 3;
/** Milliseconds: wireless scanners stutter, so a later key may still belong to the code. */
const STUTTER = 200;

export interface TypedCode<Place> {
  readonly text: string;
  readonly began: number;
  readonly place: Place;
}

export type Typist<Place> = 'person' | 'scanner' | TypedCode<Place>;

/**
 * A hardware scanner acts as a keyboard: it types very fast and ends with Enter or Tab (or both, or one
 * twice). The returned function takes each key, its time in milliseconds and its target.
 */
export const scannerKeys = <Place>(): ((key: string, at: number, place: Place) => Typist<Place>) => {
  let run: TypedCode<Place> | undefined;
  let last = Number.NEGATIVE_INFINITY;
  let isScanner = false;
  return (key, at, place) => {
    const isEnd = key === 'Enter' || key === 'Tab';
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
