import { useEffect, useRef } from 'react';
import { scannerKeys } from './scanner-keys.ts';

/** Ticket codes have 116 letters or 208 digits, without spaces. */
const TICKET = /^\S{100,}$/;

type FormField = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const fieldOf = (target: EventTarget | null): FormField | undefined =>
  target instanceof Element && target.matches('input, select, textarea') ? (target as FormField) : undefined;

/** Uses the prototype's setter and dispatches an event, so that React notices the change. */
const putBack = (field: FormField, value: string): void => {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('change', { bubbles: true }));
};

/**
 * The scanner's keys are hidden from the page, so they trigger no shortcuts or buttons. Keys typed into a
 * field stay there until they prove to be a ticket code; its value is then restored. `onCode` also gets the
 * time of the first key.
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
