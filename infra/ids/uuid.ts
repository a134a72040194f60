import { hash } from 'node:crypto';

/**
 * The namespace of all ids that derive from others (RFC 9562, version 5): the UUID whose 16 bytes are this ASCII text,
 * so that namespace and name are hashed in one call.
 */
const NAMESPACE = 'Reprise.Events..';

const VARIANT = '89ab';

/** A UUID (version 5) that depends on the name alone: the same name gives the same id, always and everywhere. */
export const uuidFrom = (name: string): string => {
  const hex = hash('sha1', NAMESPACE + name, 'hex');
  const variant = VARIANT[Number.parseInt(hex.charAt(16), 16) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};
