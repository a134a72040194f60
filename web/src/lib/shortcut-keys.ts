import { forVisits } from './storage.ts';

const KEY = 'shortcuts';

/** Single-key shortcuts can be turned off, for speech input and unsteady hands (WCAG 2.1.4). */
export const shortcutsAreOn = (): boolean => forVisits.get(KEY) !== 'off';
export const turnShortcuts = (on: boolean): void => {
  if (on) forVisits.remove(KEY);
  else forVisits.set(KEY, 'off');
};

/** False in fields, under a dialog, and with Ctrl, Meta or Alt. */
export const isShortcut = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !(ctrlKey || metaKey || altKey) &&
  !(target instanceof Element && target.matches('input, textarea, select, [contenteditable="true"]')) &&
  !document.querySelector('dialog[open]') &&
  shortcutsAreOn();
