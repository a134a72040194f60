import { useEffect, useRef, useState } from 'react';
import { isShortcut } from '#web/lib/shortcut-keys.ts';
import { RoundInput } from '#web/ui/field.tsx';
import { LONGEST_SEARCH } from './list-state.ts';

/** Milliseconds after the last key. */
const PAUSE = 300;

export const SearchField = ({
  label,
  search,
  onSearch,
}: {
  label: string;
  search: string;
  onSearch: (search: string) => void;
}) => {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(search);
  /** Last search sent; its return as `search` must not overwrite newer input. */
  const asked = useRef(search);
  const send = useRef(onSearch);
  send.current = onSearch;
  useEffect(() => {
    if (search === asked.current) return;
    asked.current = search;
    setText(search);
  }, [search]);
  useEffect(() => {
    const typed = text.trim();
    if (typed === asked.current) return;
    const timer = setTimeout(() => {
      asked.current = typed;
      send.current(typed);
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== '/' || !isShortcut(event)) return;
      event.preventDefault();
      event.stopPropagation();
      input.current?.focus();
    };
    document.addEventListener('keydown', pressed, { capture: true });
    return () => document.removeEventListener('keydown', pressed, { capture: true });
  }, []);
  return (
    <RoundInput
      ref={input}
      icon="search"
      label={label}
      type="search"
      placeholder={label}
      maxLength={LONGEST_SEARCH}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
};
