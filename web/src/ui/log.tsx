import './theme/log.css';
import type { ReactNode } from 'react';

export const LogLine = ({
  when,
  what,
  who,
  current,
  isNew,
  onOpen,
}: {
  when: ReactNode;
  what: ReactNode;
  who: ReactNode;
  current?: boolean;
  isNew?: boolean;
  onOpen: () => void;
}) => (
  <li data-new={isNew || undefined}>
    <button type="button" className="log-line figures" aria-current={current || undefined} onClick={onOpen}>
      <span>{when}</span>
      <span className="log-what">{what}</span>
      <span>{who}</span>
    </button>
  </li>
);

export const LogLines = ({ label, children }: { label: string; children: ReactNode }) => (
  <ol className="log-lines" aria-label={label}>
    {children}
  </ol>
);

export const LogFilters = ({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) => (
  <form
    className="log-filters"
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  >
    {children}
  </form>
);

export const Facts = ({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="log-facts figures">
    {facts.map(([name, value]) => (
      <div key={name} style={{ display: 'contents' }}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

export const TimeLine = ({
  label,
  value,
  steps,
  onChange,
}: {
  label: string;
  /** Index of the selected step, from 0. */
  value: number;
  steps: readonly { readonly id: string; readonly words: string }[];
  onChange: (value: number) => void;
}) => (
  <div className="time-line">
    <input
      type="range"
      aria-label={label}
      aria-valuetext={steps[value]?.words}
      min={0}
      max={Math.max(0, steps.length - 1)}
      value={value}
      onChange={({ target }) => onChange(Number(target.value))}
    />
    <div className="time-line-marks" aria-hidden="true">
      {steps.map(({ id }, index) => (
        <span key={id} data-past={index <= value || undefined} />
      ))}
    </div>
  </div>
);

export interface ChangeInWords {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export const Changes = ({ changes }: { changes: readonly ChangeInWords[] }) => (
  <ul className="log-changes">
    {changes.map(({ name, before, after }) => (
      <li key={name}>
        <strong>{name}</strong>
        <br />
        {before === undefined ? null : <del>{before}</del>}
        {before === undefined || after === undefined ? null : <span aria-hidden="true"> → </span>}
        {after === undefined ? null : <ins>{after}</ins>}
      </li>
    ))}
  </ul>
);

export const Bytes = ({ value, label }: { value: unknown; label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
  <section className="log-bytes" tabIndex={0} aria-label={label}>
    <pre>{JSON.stringify(value, null, 2)}</pre>
  </section>
);

export const Tree = ({ children }: { children: ReactNode }) => <ul className="log-tree">{children}</ul>;
