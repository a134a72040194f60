/** A part of a whole in percent, rounded for people; 0 of nothing. */
export const percentOf = (part: number, whole: number): number =>
  whole > 0 ? Math.round((part / whole) * 100) : 0;

/** Whether a part of a whole is more than so many percent, however little. */
export const exceeds = (part: number, whole: number, percent: number): boolean =>
  part * 100 > whole * percent;
