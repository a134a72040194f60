import { Fragment } from 'react';

/** Allows a line break before the @ only. */
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

export const AtCommas = ({ children }: { children: string }) => (
  <span className="whole">
    {children.split(', ').map((part, index, parts) => (
      <Fragment key={part}>
        <span className="one-line">{index < parts.length - 1 ? `${part},` : part}</span>{' '}
      </Fragment>
    ))}
  </span>
);
