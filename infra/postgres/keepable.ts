/** Makes text storable in PostgreSQL: keys may contain NUL, and errors may quote it or half of a surrogate pair. */
export const keepable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');
