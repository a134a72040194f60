import './theme/editor.css';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useReducer,
  useRef,
  useState,
} from 'react';
import { ContentEditable } from 'react-simple-wysiwyg';
import { isSafeLink } from '#domain/listing/rich-text.ts';
import { Button } from './button.tsx';
import { type Around, Labelled, type Wired } from './field.tsx';
import { Icon } from './icons.tsx';
import { pastedMarkup } from './pasted.ts';
import { sanitize } from './sanitize.ts';

const run = (command: string, value?: string): void => {
  document.execCommand(command, false, value);
};

interface Tool {
  readonly label: string;
  readonly sign: ReactNode;
  readonly press: () => void;
  readonly isOn?: () => boolean;
}

const toggle = (label: string, sign: ReactNode, command: string): Tool => ({
  label,
  sign,
  press: () => run(command),
  isOn: () => document.queryCommandState(command),
});
const heading = (level: number): Tool => {
  const isOn = () => document.queryCommandValue('formatBlock') === `h${level}`;
  return {
    label: `H${level} heading`,
    sign: <b>{`H${level}`}</b>,
    press: () => run('formatBlock', isOn() ? 'p' : `h${level}`),
    isOn,
  };
};

const groups: readonly (readonly Tool[])[] = [
  [heading(1), heading(2), heading(3)],
  [
    toggle('Bold', <b>B</b>, 'bold'),
    toggle('Italic', <i>I</i>, 'italic'),
    toggle('Underline', <u>U</u>, 'underline'),
    toggle('Strike', <s>S</s>, 'strikeThrough'),
  ],
  [
    toggle('Bullet list', <Icon name="bullets" />, 'insertUnorderedList'),
    toggle('Numbered list', <Icon name="numbers" />, 'insertOrderedList'),
    { label: 'Indent less', sign: <Icon name="outdent" />, press: () => run('outdent') },
    { label: 'Indent more', sign: <Icon name="indent" />, press: () => run('indent') },
  ],
  [
    toggle('Align left', <Icon name="alignLeft" />, 'justifyLeft'),
    toggle('Align centre', <Icon name="alignCentre" />, 'justifyCenter'),
    toggle('Align right', <Icon name="alignRight" />, 'justifyRight'),
    toggle('Justify', <Icon name="justify" />, 'justifyFull'),
  ],
];

const selectedLink = () => getSelection()?.anchorNode?.parentElement?.closest('a');

const LinkLine = ({ onSet, onClose }: { onSet: (href: string) => void; onClose: () => void }) => {
  const input = useRef<HTMLInputElement>(null);
  const [href, setHref] = useState('https://');
  const [refused, setRefused] = useState(false);
  const id = useId();
  useEffect(() => input.current?.select(), []);
  const set = () => {
    const isWhole = isSafeLink(href) && !/:\/*$/.test(href.trim());
    if (isWhole) onSet(href.trim());
    else setRefused(true);
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    // Enter must not submit the surrounding form, nor Escape close its dialog.
    event.preventDefault();
    if (event.key === 'Enter') set();
    else onClose();
  };
  return (
    <div className="editor-link">
      <input
        ref={input}
        className="field-input"
        data-round=""
        aria-label="Link address"
        aria-invalid={refused || undefined}
        aria-describedby={refused ? id : undefined}
        value={href}
        onChange={(event) => setHref(event.target.value)}
        onKeyDown={pressed}
      />
      <Button size="compact" onClick={set}>
        Set link
      </Button>
      <Button size="compact" kind="plain" onClick={onClose}>
        Cancel
      </Button>
      {refused ? (
        <span id={id} role="alert">
          A link begins with https://, mailto: or /
        </span>
      ) : null}
    </div>
  );
};

const Toolbar = ({ tools, active }: { tools: readonly (readonly Tool[])[]; active: boolean }) => {
  const bar = useRef<HTMLDivElement>(null);
  const [stop, setStop] = useState(tools[0]?.[0]?.label);
  const moved = (event: KeyboardEvent) => {
    const buttons = [...(bar.current?.querySelectorAll('button') ?? [])];
    const at = buttons.findIndex((button) => button.matches(':focus'));
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    buttons[(to + buttons.length) % buttons.length]?.focus();
  };
  return (
    <div ref={bar} className="editor-bar" role="toolbar" aria-label="Formatting" onKeyDown={moved}>
      {tools.map((group) => (
        <span key={group[0]?.label}>
          {group.map(({ label, sign, press, isOn }) => (
            <Button
              key={label}
              kind="plain"
              size="compact"
              data-icon=""
              aria-label={label}
              title={label}
              aria-pressed={isOn ? active && isOn() : undefined}
              tabIndex={label === stop ? 0 : -1}
              onFocus={() => setStop(label)}
              // Keeps the focus and the selection in the editor.
              onMouseDown={(event) => event.preventDefault()}
              onClick={press}
            >
              {sign}
            </Button>
          ))}
        </span>
      ))}
    </div>
  );
};

/** Keeps the selection while the toolbar has the focus; `inEditor` restores it. */
const useSelection = () => {
  const editor = useRef<HTMLDivElement>(null);
  const kept = useRef<Range>(undefined);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const isInside = () => !!editor.current?.contains(getSelection()?.anchorNode ?? null);
  useEffect(() => {
    const moved = () => {
      const selection = getSelection();
      if (!selection?.rangeCount || !editor.current?.contains(selection.anchorNode)) return;
      kept.current = selection.getRangeAt(0).cloneRange();
      redraw();
    };
    document.addEventListener('selectionchange', moved);
    return () => document.removeEventListener('selectionchange', moved);
  }, []);
  const inEditor = (change: () => void): void => {
    editor.current?.focus();
    if (kept.current) {
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(kept.current);
    }
    change();
    redraw();
  };
  return { editor, isInside, inEditor };
};

const EditorBox = ({
  wired,
  value,
  onChange,
}: {
  wired: Wired;
  value: string;
  onChange: (event: { readonly target: { readonly value: string } }) => void;
}) => {
  const { editor, isInside, inEditor } = useSelection();
  const [{ html, known }, show] = useState(() => ({ html: sanitize(value), known: value }));
  if (value !== known) show({ html: sanitize(value), known: value });
  const [linking, setLinking] = useState(false);
  const { id, 'aria-invalid': invalid, 'aria-describedby': described } = wired;
  // The library renders the element only once, so attributes are updated here.
  useEffect(() => {
    const set = (name: string, to: string | undefined) =>
      to === undefined ? editor.current?.removeAttribute(name) : editor.current?.setAttribute(name, to);
    set('aria-invalid', invalid ? 'true' : undefined);
    set('aria-describedby', described);
  });
  const typed = (event: { readonly target: { readonly value: string } }) => {
    const { anchorNode } = getSelection() ?? {};
    // The browser puts the first line outside any paragraph.
    if (anchorNode instanceof Text && anchorNode.parentNode === editor.current) run('formatBlock', 'p');
    const html = editor.current?.innerHTML ?? event.target.value;
    show({ html, known: html });
    onChange({ target: { value: html } });
  };
  const pasted = (event: ClipboardEvent) => {
    event.preventDefault();
    const copied = event.clipboardData.getData('text/html');
    if (copied) run('insertHTML', pastedMarkup(copied));
    else run('insertText', event.clipboardData.getData('text/plain'));
  };
  const setLink = (href: string) => {
    setLinking(false);
    inEditor(() => {
      if (!getSelection()?.isCollapsed) return run('createLink', href);
      // Without a selected text the address itself becomes the link's text.
      const link = document.createElement('a');
      link.href = link.textContent = href;
      run('insertHTML', link.outerHTML);
    });
  };
  const link: Tool = {
    label: 'Link',
    sign: <Icon name="link" />,
    press: () => (selectedLink() ? inEditor(() => run('unlink')) : setLinking(true)),
    isOn: () => !!selectedLink(),
  };
  const clear: Tool = {
    label: 'Clear formatting',
    sign: <Icon name="clear" />,
    press: () => run('removeFormat'),
  };
  const tools = [...groups, [link, clear]].map((group) =>
    group.map((tool) => (tool === link ? tool : { ...tool, press: () => inEditor(tool.press) })),
  );
  return (
    <div className="editor">
      <Toolbar tools={tools} active={isInside()} />
      {linking ? (
        <LinkLine
          onSet={setLink}
          onClose={() => {
            setLinking(false);
            inEditor(() => undefined);
          }}
        />
      ) : null}
      <ContentEditable
        ref={editor}
        className="prose"
        id={id}
        role="textbox"
        aria-multiline="true"
        aria-labelledby={`${id}-label`}
        value={html}
        onChange={typed}
        onFocus={() => run('defaultParagraphSeparator', 'p')}
        onPaste={pasted}
      />
    </div>
  );
};

/** Produces HTML; the server keeps the subset allowed by `domain/listing/rich-text.ts`. */
export const RichTextEditor = ({
  label,
  error,
  hint,
  optional,
  ...editor
}: Around & Omit<Parameters<typeof EditorBox>[0], 'wired'>) => (
  <Labelled {...{ label, error, hint, optional }}>
    {(wired) => <EditorBox wired={wired} {...editor} />}
  </Labelled>
);
