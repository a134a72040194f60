import { hash } from 'node:crypto';

/** The namespace of derived ids (RFC 9562, version 5). It is 16 ASCII characters, so that it can be hashed as text with the name. */
const NAMESPACE = 'Reprise.Events..';

const VARIANT = '89ab';

/** The UUID (version 5) for a name: the same name always gives the same id. */
export const uuidFrom = (name: string): string => {
  const hex = hash('sha1', NAMESPACE + name, 'hex');
  const variant = VARIANT[Number.parseInt(hex.charAt(16), 16) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};
