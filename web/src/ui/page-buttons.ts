/** At most so many page buttons are shown (superusers' specification, section 9). */
const BUTTONS = 5;

/** The numbers on the page buttons, around the current page. Pages are counted from 1. */
export const pageButtons = (page: number, pages: number): number[] => {
  const count = Math.min(BUTTONS, pages);
  const first = Math.max(1, Math.min(page - 2, pages - BUTTONS + 1));
  return Array.from({ length: count }, (_, index) => first + index);
};
