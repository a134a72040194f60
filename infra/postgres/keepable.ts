/** A text as PostgreSQL can store it: a key may contain a NUL, and an error may quote one, or half of a surrogate pair. */
export const keepable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');
