/** A trimmed query parameter, cut to `most` UTF-16 units without splitting a surrogate pair; blank if absent. */
export const textIn = (params: URLSearchParams, name: string, most: number): string =>
  (params.get(name) ?? '')
    .trim()
    .slice(0, most)
    // Not `toWellFormed`: its replacement character would match nothing, and Firefox has it only since 119.
    .replace(/[\uD800-\uDBFF]$/, '');
