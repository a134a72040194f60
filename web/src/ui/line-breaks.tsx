import { Fragment } from 'react';

/** An e-mail address. Where a column is too narrow for it, it breaks before the @ rather than within a word. */
export const Email = ({ address }: { address: string }) => {
  const at = address.lastIndexOf('@');
  if (at < 1) return address;
  return (
    <>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </>
  );
};

/** A text that breaks at its commas alone where a column is too narrow for it: a date before its time. */
export const AtCommas = ({ children }: { children: string }) =>
  children.split(', ').map((part, index, parts) => (
    <Fragment key={part}>
      <span className="one-line">
        {part}
        {index < parts.length - 1 ? ',' : ''}
      </span>{' '}
    </Fragment>
  ));
