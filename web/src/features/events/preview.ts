const SHORTEST = 15;
/** With the `u` flag an emoji counts as one character and stays whole. */
const LONGER = /^(.{99})..+/u;

/** At most 100 characters, with an ellipsis if cut (specification, section 2). */
export const preview = (description: string): string => {
  const text = description.replace(/\s+/g, ' ').trim();
  if (text.length < SHORTEST) return 'Click to view event details...';
  return text.replace(LONGER, (_, start: string) => `${start.trimEnd()}…`);
};
