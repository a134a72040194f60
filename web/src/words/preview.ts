const SHORTEST = 15;
/** A text of more than 100 characters, and its first 99. By `u` an emoji, which takes two units of a string, counts as one and stays whole. */
const LONGER = /^(.{99})..+/u;

/** The beginning of a description for a card: at most 100 characters, and an ellipsis if there is more (specification, section 2). */
export const preview = (description: string): string => {
  const text = description.replace(/\s+/g, ' ').trim();
  if (text.length < SHORTEST) return 'Click to view event details...';
  return text.replace(LONGER, (_, start: string) => `${start.trimEnd()}…`);
};
