import { Fragment, useEffect, useRef, useState } from 'react';
import { lettersOf } from '#web/lib/letters.ts';
import { isShortcut, shortcutsAreOn, turnShortcuts } from '#web/lib/shortcut-keys.ts';
import { From } from './bar.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Check } from './field.tsx';
import { Key, Keys } from './keys.tsx';
import type { Tab } from './tabs.tsx';
import { Text } from './text.tsx';

/** Milliseconds that `g` waits for its letter. */
const PATIENCE = 1_500;

export const Shortcuts = <Name extends string>({
  tabs,
  onOpen,
}: {
  tabs: readonly Tab<Name>[];
  onOpen: (name: Name) => void;
}) => {
  const [listed, setListed] = useState(false);
  const [on, setOn] = useState(shortcutsAreOn);
  const went = useRef(Number.NEGATIVE_INFINITY);
  const letters = lettersOf(tabs.map(({ label }) => label));
  const pressed = useRef((_: KeyboardEvent): void => undefined);
  pressed.current = (event) => {
    if (!isShortcut(event)) return;
    const isSecond = performance.now() - went.current < PATIENCE;
    went.current = Number.NEGATIVE_INFINITY;
    const tab = isSecond ? tabs[letters.indexOf(event.key.toLowerCase())] : undefined;
    if (tab) onOpen(tab.name);
    else if (event.key === 'g') went.current = performance.now();
    else if (event.key === '?') setListed(true);
    else return;
    event.preventDefault();
  };
  useEffect(() => {
    const heard = (event: KeyboardEvent) => pressed.current(event);
    document.addEventListener('keydown', heard);
    return () => document.removeEventListener('keydown', heard);
  }, []);
  return (
    <>
      <From width="desktop">
        <Button kind="plain" size="compact" onClick={() => setListed(true)}>
          Keyboard shortcuts
        </Button>
      </From>
      <Dialog open={listed} onClose={() => setListed(false)} title="Keyboard shortcuts" width={560}>
        <Keys>
          <dt>
            <Key>/</Key>
          </dt>
          <dd>Search the list</dd>
          <dt>
            <Key>?</Key>
          </dt>
          <dd>Show these keys</dd>
          {tabs.map(({ name, label }, index) =>
            letters[index] ? (
              <Fragment key={name}>
                <dt>
                  <Key>g</Key> <Key>{letters[index]}</Key>
                </dt>
                <dd>{label}</dd>
              </Fragment>
            ) : null,
          )}
        </Keys>
        <Check
          label="Use these keys"
          checked={on}
          onChange={({ target }) => {
            turnShortcuts(target.checked);
            setOn(target.checked);
          }}
        />
        <Text size="small" tone="dim">
          Press G, then the letter. What you choose here stays in this browser.
        </Text>
      </Dialog>
    </>
  );
};
