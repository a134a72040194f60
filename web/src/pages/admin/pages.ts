/** At most five page numbers around the one that is shown, counted from 0. */
export const pageButtons = (page: number, pages: number): number[] => {
  const first = Math.max(0, Math.min(page - 2, pages - 5));
  return Array.from({ length: Math.min(5, pages) }, (_, index) => first + index);
};
