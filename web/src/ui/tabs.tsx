import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import { Box } from './box.tsx';

export interface Tab<Name extends string> {
  readonly name: Name;
  readonly label: string;
}

/** Tabs over one panel: arrow keys, Home and End move between them. */
export const Tabs = <Name extends string>({
  tabs,
  active,
  onChange,
  label,
  children,
}: {
  tabs: readonly Tab<Name>[];
  active: Name;
  onChange: (name: Name) => void;
  label: string;
  children: ReactNode;
}) => {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const moved = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.name === active);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = tabs[(to + tabs.length) % tabs.length];
    if (!next) return;
    onChange(next.name);
    list.current?.querySelector<HTMLElement>(`[data-name="${next.name}"]`)?.focus();
  };
  return (
    <Box gap="$24">
      <Box borderBottomWidth={1} borderColor="$line">
        <div ref={list} className="strip tabs" role="tablist" aria-label={label} onKeyDown={moved}>
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
              onClick={(event) => {
                onChange(tab.name);
                event.currentTarget.scrollIntoView({ block: 'nearest', inline: 'center' });
              }}
            >
              {tab.label}
            </button>
          ))}
        </div>
      </Box>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${active}`}>
        {children}
      </div>
    </Box>
  );
};
