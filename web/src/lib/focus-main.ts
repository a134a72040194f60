/** Moves the focus to the page's content: where a new page has come, or where the pressed button has gone. Nothing is scrolled. */
export const focusMain = (): void => document.getElementById('main')?.focus({ preventScroll: true });
