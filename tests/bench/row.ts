/** One figure of a benchmark, as all of them report it. */
export interface Row {
  readonly what: string;
  readonly figure: number;
  readonly unit: string;
}

/** Prints figures, one a line. */
export const print = (rows: readonly Row[]): void => {
  const width = Math.max(...rows.map(({ what }) => what.length));
  for (const { what, figure, unit } of rows) {
    const text = figure.toLocaleString('en-GB', { maximumFractionDigits: figure < 100 ? 2 : 0 });
    console.log(`${what.padEnd(width)}  ${text.padStart(9)} ${unit}`);
  }
};
