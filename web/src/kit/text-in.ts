/** The text that an address has under a name, trimmed, and cut to a length in UTF-16 units, but never within a character. Blank if there is none. */
export const textIn = (params: URLSearchParams, name: string, most: number): string =>
  (params.get(name) ?? '')
    .trim()
    .slice(0, most)
    // What `toWellFormed` would put there is found nowhere, and Firefox has it since 119 only.
    .replace(/[\uD800-\uDBFF]$/, '');
