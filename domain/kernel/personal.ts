/**
 * Personal data in an append-only log: fields that name a person are sealed with the person's own key before they are appended. Destroying
 * the key erases them: everyone who reads them afterwards gets `erased`.
 */

/** Stands in place of a personal value whose key was destroyed. */
export interface Erased {
  readonly erased: true;
}

/** The erased value. Compare with `isErased`: a value that was parsed from JSON is a copy. */
export const erased: Erased = Object.freeze({ erased: true });

/** Stands in place of a personal value that is not shown to this reader. Folds treat it like an erased one. */
export interface Masked extends Erased {
  readonly sealed: true;
}

/** The masked value. `isErased` holds for it, too. */
export const masked: Masked = Object.freeze({ erased: true, sealed: true });

/** A value that may have been erased. */
export type Personal<T> = T | Erased;

/** Whether a personal value was erased. */
export const isErased = (value: unknown): value is Erased =>
  typeof value === 'object' && value !== null && (value as Erased).erased === true;

/** The value, or `fallback` if it was erased. */
export const orElse = <T, F>(value: Personal<T>, fallback: F): T | F => (isErased(value) ? fallback : value);
