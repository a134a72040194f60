import { useEffect, useRef } from 'react';
import { scannerKeys } from './scanner-keys.ts';

/** What is typed quickly into a field is a ticket's code from this length on: those have 116 letters or 208 digits, and no spaces. */
const TICKET = /^\S{100,}$/;

type FormField = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const fieldOf = (target: EventTarget | null): FormField | undefined =>
  target instanceof Element && target.matches('input, select, textarea') ? (target as FormField) : undefined;

/** Gives a field the value that it had, as if a person had: React hears of it by the event, and sets no value itself then. */
const putBack = (field: FormField, value: string): void => {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('change', { bubbles: true }));
};

/**
 * Hears a hardware scanner, which types, wherever on the page the focus is. `onCode` is told each code, and when its first key was pressed;
 * nothing else on the page hears the scanner's keys, so that no letter is a shortcut and no Enter presses a button. Keys that go into a
 * field are the field's until they have turned out to be a ticket's code; then it gets back what was in it.
 */
export const useHardwareScanner = (onCode: (code: string, began: number) => void): void => {
  const heard = useRef(onCode);
  heard.current = onCode;
  useEffect(() => {
    const tell = scannerKeys<{ readonly field: FormField; readonly value: string } | undefined>();
    const pressed = (event: KeyboardEvent) => {
      if (event.repeat || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
      const field = fieldOf(event.target);
      const typist = tell(event.key, event.timeStamp, field && { field, value: field.value });
      if (typist === 'person') return;
      const isTypedInto = field !== undefined && !(field instanceof HTMLSelectElement);
      if (isTypedInto && (typist === 'scanner' ? event.key.length === 1 : !TICKET.test(typist.text))) return;
      event.preventDefault();
      event.stopPropagation();
      if (typist === 'scanner') return;
      const { text, began, place } = typist;
      if (place) putBack(place.field, place.value);
      heard.current(text, began);
    };
    addEventListener('keydown', pressed, true);
    return () => removeEventListener('keydown', pressed, true);
  }, []);
};
