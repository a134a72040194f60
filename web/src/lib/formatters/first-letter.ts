/** Keeps surrogate pairs whole; blank for an empty name. */
export const firstLetter = (name: string): string => [...name][0]?.toUpperCase() ?? '';
