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
