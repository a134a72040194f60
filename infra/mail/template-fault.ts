const PLACE = /,(?: file:.+?,)? line:(\d+), col:(\d+)$/;
const LONGEST = 60;

const MEANINGS: readonly (readonly [RegExp, (named: string, written: string) => string])[] = [
  [/^undefined variable: (.+)$/, (named) => `This mail has no ${named}`],
  [/^undefined filter: (.+)$/, (named) => `There is no filter “${named}”`],
  [/^output .+ not closed$/s, (_, written) => `${written} is not closed with }}`],
  [/^tag ".+" not closed$/s, (_, written) => `${written} is not closed with %}`],
  [
    /^tag \{%-?\s*(\w+).+ not closed$/s,
    (named, written) => `${written} has no end: it needs {% end${named} %}`,
  ],
  [/^tag "(end\w+|else|elsif|when)" not found$/, (named) => `{% ${named} %} belongs to no tag before it`],
  [/^tag "(.+)" not found$/, (named) => `There is no tag {% ${named} %}`],
  [/limit exceeded$/, () => 'This makes too much text, or takes too long'],
  [/^/, (_, written) => `Something is missing or wrong in ${written}`],
];

const writtenAt = (line: string, column: number): string => {
  const start = Math.max(line.lastIndexOf('{{', column), line.lastIndexOf('{%', column), 0);
  const [written = ''] = /^.*?[%}]}|^.*/.exec(line.slice(start)) ?? [];
  return written.length > LONGEST ? `${written.slice(0, LONGEST)}…` : written.trim();
};

/** For the template's author. In multi-line texts it begins with the line: "Line 3: There is no filter “shout”". */
export const faultIn = (source: string, error: unknown): string => {
  const told = error instanceof Error ? error.message : String(error);
  const [place = '', row = '1', column = '1'] = PLACE.exec(told) ?? [];
  const message = told.slice(0, told.length - place.length);
  const lines = source.split('\n');
  const written = writtenAt(lines[Number(row) - 1] ?? '', Number(column) - 1);
  const [said = message] = MEANINGS.flatMap(([pattern, say]) => {
    const found = pattern.exec(message);
    return found ? [say(found[1] ?? '', written)] : [];
  });
  return lines.length > 1 ? `Line ${row}: ${said}` : said;
};
