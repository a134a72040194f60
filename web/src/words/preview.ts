const LONGEST = 100;
const SHORTEST = 15;

/** The beginning of a description for a card: at most 100 characters, and an ellipsis if there is more (specification, section 2). */
export const preview = (description: string): string => {
  const text = description.replace(/\s+/g, ' ').trim();
  if (text.length < SHORTEST) return 'Click to view event details...';
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1).trimEnd()}…`;
};
