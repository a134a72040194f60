import { Fragment } from 'react';

/** An email address that wraps before its @, not within a word, where a column is narrow. */
export const Email = ({ address }: { address: string }) => {
  const at = address.lastIndexOf('@');
  if (at < 1) return address;
  return (
    <span className="whole">
      <span>{address.slice(0, at)}</span>
      <wbr />
      <span>{address.slice(at)}</span>
    </span>
  );
};

/** Text that wraps only after its commas, such as a date and a time. */
export const AtCommas = ({ children }: { children: string }) => (
  <span className="whole">
    {children.split(', ').map((part, index, parts) => (
      <Fragment key={part}>
        <span className="one-line">{index < parts.length - 1 ? `${part},` : part}</span>{' '}
      </Fragment>
    ))}
  </span>
);
