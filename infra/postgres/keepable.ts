/** Keys may contain NUL, and errors may quote it or half of a surrogate pair: PostgreSQL refuses both. */
export const keepable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');
