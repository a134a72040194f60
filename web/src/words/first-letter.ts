/** The first letter of a name, as a capital; blank for none. Letters that take two units of a string stay whole. */
export const firstLetter = (name: string): string => [...name][0]?.toUpperCase() ?? '';
