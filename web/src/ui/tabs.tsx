import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { Box } from './box.tsx';
import { useRoom } from './room.ts';

export interface Tab<Name extends string> {
  readonly name: Name;
  readonly label: string;
}

/** Pixels. */
const ROOM = 1200;

export const Tabs = <Name extends string>({
  tabs,
  active,
  onChange,
  label,
  side,
  children,
}: {
  tabs: readonly Tab<Name>[];
  active: Name;
  onChange: (name: Name) => void;
  label: string;
  side?: boolean;
  children: ReactNode;
}) => {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const vertical = useRoom(ROOM) && !!side;
  useEffect(() => {
    const strip = list.current;
    const on = strip?.querySelector(`[data-name="${active}"]`)?.getBoundingClientRect();
    if (!strip || !on || vertical) return;
    const frame = strip.getBoundingClientRect();
    strip.scrollLeft += on.left + on.width / 2 - (frame.left + frame.width / 2);
  }, [active, vertical]);
  const before = useRef(active);
  // A link in a panel may switch tabs and vanish; keep the focus.
  useEffect(() => {
    if (before.current === active) return;
    before.current = active;
    if (document.activeElement === document.body)
      list.current?.querySelector<HTMLElement>(`[data-name="${active}"]`)?.focus({ preventScroll: true });
  }, [active]);
  const moved = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.name === active);
    const [back, on] = vertical ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight'];
    const to = { [on]: at + 1, [back]: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = tabs[(to + tabs.length) % tabs.length];
    if (!next) return;
    onChange(next.name);
    list.current?.querySelector<HTMLElement>(`[data-name="${next.name}"]`)?.focus();
  };
  return (
    <div className="tabs-frame" data-side={vertical || undefined}>
      <Box borderBottomWidth={vertical ? 0 : 1} borderColor="$line">
        <div
          ref={list}
          className="strip tabs"
          role="tablist"
          aria-label={label}
          aria-orientation={vertical ? 'vertical' : undefined}
          onKeyDown={moved}
        >
          {tabs.map((tab) => (
            <button
              key={tab.name}
              type="button"
              role="tab"
              className="tab"
              id={`${id}-${tab.name}`}
              data-name={tab.name}
              aria-selected={tab.name === active}
              aria-controls={`${id}-panel`}
              tabIndex={tab.name === active ? 0 : -1}
              onClick={() => onChange(tab.name)}
            >
              {tab.label}
            </button>
          ))}
        </div>
      </Box>
      <div role="tabpanel" className="tabs-panel" id={`${id}-panel`} aria-labelledby={`${id}-${active}`}>
        {children}
      </div>
    </div>
  );
};
