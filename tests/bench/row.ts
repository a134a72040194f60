export interface Row {
  readonly what: string;
  readonly figure: number;
  readonly unit: string;
}

export const row = (what: string, figure: number, unit = ''): Row => ({ what, figure, unit });

export const written = (figure: number): string =>
  figure.toLocaleString('en-GB', { maximumFractionDigits: figure < 100 ? 2 : 0 });

export const print = (rows: readonly Row[]): void => {
  const width = Math.max(...rows.map(({ what }) => what.length));
  for (const { what, figure, unit } of rows)
    console.log(`${what.padEnd(width)}  ${written(figure).padStart(9)} ${unit}`);
};
