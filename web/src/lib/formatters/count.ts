/** A number for people: `12345` → `12,345`. */
export const count = (number: number): string => number.toLocaleString('en-GB');
