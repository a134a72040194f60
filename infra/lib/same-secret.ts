import { hash, timingSafeEqual } from 'node:crypto';

/** Whether a given text is the secret. Hashes are compared, so that the time it takes tells nothing about the secret. */
export const isSameSecret = (given: string | undefined, secret: string): boolean =>
  given !== undefined && timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', secret, 'buffer'));
