/** Maximum number of page buttons (superusers' specification, section 9). */
const BUTTONS = 5;

export const pageButtons = (page: number, pages: number): number[] => {
  const count = Math.min(BUTTONS, pages);
  const first = Math.max(1, Math.min(page - 2, pages - BUTTONS + 1));
  return Array.from({ length: count }, (_, index) => first + index);
};
