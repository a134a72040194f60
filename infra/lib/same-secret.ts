import { hash, timingSafeEqual } from 'node:crypto';

/** Hashes, so that timing reveals nothing about the secret. */
export const isSameSecret = (given: string | undefined, secret: string): boolean =>
  given !== undefined && timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', secret, 'buffer'));
