/**
 * Personal fields are sealed with the person's key before they are appended to the log. Destroying the key
 * erases them: later reads return `erased`.
 */

export interface Erased {
  readonly erased: true;
}

/** Compare with `isErased`: JSON makes copies. */
export const erased: Erased = Object.freeze({ erased: true });

export interface Masked extends Erased {
  readonly sealed: true;
}

/** `isErased` holds for it too, so that folds treat it as erased. */
export const masked: Masked = Object.freeze({ erased: true, sealed: true });

export type Personal<T> = T | Erased;

export const isErased = (value: unknown): value is Erased =>
  typeof value === 'object' && value !== null && (value as Erased).erased === true;

export const orElse = <T, F>(value: Personal<T>, fallback: F): T | F => (isErased(value) ? fallback : value);
