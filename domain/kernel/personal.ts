/**
 * Personal fields of the append-only log are sealed with the person's key before appending. Destroying the
 * key erases them: later reads return `erased`.
 */

export interface Erased {
  readonly erased: true;
}

/** Compare with `isErased`: values parsed from JSON are copies. */
export const erased: Erased = Object.freeze({ erased: true });

/** Replaces a personal value hidden from this reader. Folds treat it as erased. */
export interface Masked extends Erased {
  readonly sealed: true;
}

/** `isErased` holds for it too. */
export const masked: Masked = Object.freeze({ erased: true, sealed: true });

export type Personal<T> = T | Erased;

export const isErased = (value: unknown): value is Erased =>
  typeof value === 'object' && value !== null && (value as Erased).erased === true;

export const orElse = <T, F>(value: Personal<T>, fallback: F): T | F => (isErased(value) ? fallback : value);
