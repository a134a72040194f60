import { type FormEvent, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { isShortcut } from '#web/lib/shortcut-keys.ts';
import { RoundInput } from '#web/ui/field.tsx';

export const SearchBox = ({ autoFocus, onDone }: { autoFocus?: boolean; onDone?: () => void }) => {
  const input = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  useEffect(() => {
    if (autoFocus) input.current?.focus();
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== '/' || !isShortcut(event) || input.current?.offsetParent === null) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [autoFocus]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const text = input.current?.value.trim();
    if (!text) return;
    navigate(`/events?search=${encodeURIComponent(text)}`);
    if (input.current) input.current.value = '';
    onDone?.();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: more browsers and readers know a form with the role "search" than the element.
    <form role="search" action="/events" onSubmit={submit} style={{ flex: '4 1 200px', maxWidth: 380 }}>
      <RoundInput
        ref={input}
        name="search"
        icon="search"
        label="Search events"
        type="search"
        placeholder="Search events"
        maxLength={100}
      />
    </form>
  );
};
