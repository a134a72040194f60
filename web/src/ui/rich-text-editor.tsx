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
import { sanitize } from './sanitize.ts';

/** Has the browser change what is selected. */
const run = (command: string, value?: string): void => {
  document.execCommand(command, false, value);
};

/** A button of the toolbar. */
interface Tool {
  readonly label: string;
  readonly sign: ReactNode;
  readonly press: () => void;
  /** Whether what is selected is so already; absent where it can't be said. */
  readonly isOn?: () => boolean;
}

const toggle = (label: string, sign: ReactNode, command: string): Tool => ({
  label,
  sign,
  press: () => run(command),
  isOn: () => document.queryCommandState(command),
});
/** A heading; pressed again, running text. */
const heading = (level: number): Tool => {
  const isOn = () => document.queryCommandValue('formatBlock') === `h${level}`;
  return {
    label: `H${level} heading`,
    sign: <b>H{level}</b>,
    press: () => run('formatBlock', isOn() ? 'p' : `h${level}`),
    isOn,
  };
};

/** The toolbar of the specification: headings, bold, italic, underline, strike, lists, indent, align; and clear. */
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

/** The link around what is selected. */
const selectedLink = () => getSelection()?.anchorNode?.parentElement?.closest('a');

/** Asks for a link's address, in a line below the toolbar. */
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
    // Neither sends the form nor closes the dialog that the editor stands in.
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

/** One stop for the keyboard: the arrows, Home and End go from button to button. */
const Toolbar = ({
  tools,
  active,
}: {
  tools: readonly (readonly Tool[])[];
  /** Something is selected in the editor. */
  active: boolean;
}) => {
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
              // The pointer leaves the selection as it is.
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

/**
 * What is selected in the editor, kept while the keyboard is in the toolbar; and how to do something to it. The toolbar is drawn
 * anew with each change of it, so that it shows what is on.
 */
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

/** What the editor of a field is made of, within its label. */
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
  const [html, setHtml] = useState(() => sanitize(value));
  const [linking, setLinking] = useState(false);
  const { id, 'aria-invalid': invalid, 'aria-describedby': described } = wired;
  // The library draws the element once, with the attributes that it had then.
  useEffect(() => {
    const set = (name: string, to: string | undefined) =>
      to === undefined ? editor.current?.removeAttribute(name) : editor.current?.setAttribute(name, to);
    set('aria-invalid', invalid ? 'true' : undefined);
    set('aria-describedby', described);
  });
  const typed = (event: { readonly target: { readonly value: string } }) => {
    const { anchorNode } = getSelection() ?? {};
    // The first line of all would stand outside of any paragraph.
    if (anchorNode instanceof Text && anchorNode.parentNode === editor.current) run('formatBlock', 'p');
    setHtml(editor.current?.innerHTML ?? event.target.value);
    onChange({ target: { value: editor.current?.innerHTML ?? event.target.value } });
  };
  const pasted = (event: ClipboardEvent) => {
    event.preventDefault();
    const copied = event.clipboardData.getData('text/html');
    if (copied) run('insertHTML', sanitize(copied));
    else run('insertText', event.clipboardData.getData('text/plain'));
  };
  const setLink = (href: string) => {
    setLinking(false);
    inEditor(() => {
      if (!getSelection()?.isCollapsed) return run('createLink', href);
      // Nothing is selected that could lead there: the address itself does.
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

/** A labelled field for text with headings, lists and links: HTML of the list in `domain/listing/rich-text.ts`. `value` is what it holds at first. */
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
