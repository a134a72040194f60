export const percentOf = (part: number, whole: number): number =>
  whole > 0 ? Math.round((part / whole) * 100) : 0;

export const exceeds = (part: number, whole: number, percent: number): boolean =>
  part * 100 > whole * percent;
