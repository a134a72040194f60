/** Integer pence inside the domain, decimal text with two places outside. Always pounds. */

/** Never negative except as a difference. */
export type Pence = number;

/** The provider's minimum charge. */
export const SMALLEST_CHARGE: Pence = 30;

export const toDecimal = (pence: Pence): string => {
  const sign = pence < 0 ? '-' : '';
  const abs = Math.abs(pence);
  return `${sign}${Math.floor(abs / 100)}.${String(abs % 100).padStart(2, '0')}`;
};

export const toPounds = (pence: Pence): string => `£${toDecimal(pence)}`;

/** `"57.00"`, `"57"` or `57` → `5700`; undefined if not an amount with at most two places. */
export const fromDecimal = (amount: string | number): Pence | undefined => {
  const text = typeof amount === 'number' ? String(amount) : amount.trim();
  const match = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text);
  if (!match) return undefined;
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
};

/** `percent` has at most two places. Rounded half up to the penny. */
export const percentOf = (pence: Pence, percent: number): Pence =>
  Math.floor((pence * Math.round(percent * 100) + 5000) / 10_000);
