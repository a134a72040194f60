import { forVisits } from '../lib/storage.ts';

const KEY = 'shortcuts';

/** Whether the person wants shortcuts of one key. Whoever speaks to their browser, or whose hands slip, can turn them off (WCAG 2.1.4). */
export const shortcutsAreOn = (): boolean => forVisits.get(KEY) !== 'off';
/** Turns shortcuts of one key on or off, for this and later visits. */
export const turnShortcuts = (on: boolean): void => {
  if (on) forVisits.remove(KEY);
  else forVisits.set(KEY, 'off');
};

/** Whether a key is pressed for a shortcut: not into a field, nor over a dialog, nor as a part of the browser's own. */
export const isShortcut = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !(ctrlKey || metaKey || altKey) &&
  !(target instanceof Element && target.matches('input, textarea, select, [contenteditable="true"]')) &&
  !document.querySelector('dialog[open]') &&
  shortcutsAreOn();
