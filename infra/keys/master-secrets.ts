/**
 * At first the master key wraps people's keys. A change adds a wrapping key, stored under both master keys,
 * so that processes with either run side by side. The email claims' key never changes, so it is stored too.
 */
import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Pool } from 'pg';
import { deriveKey, open, seal } from './cipher.ts';
import { WrongMasterKey } from './key-store.ts';

export interface MasterSecrets {
  readonly wrapping: ReadonlyMap<number, KeyObject>;
  readonly newest: number;
  readonly emailClaims: KeyObject;
}

export const wrappingName = (version: number): string => `wrapping ${version}`;
export const EMAIL_CLAIMS = 'email claims';
export const REPLACED = 'replaced';

export const firstEmailClaims = (masterKey: Uint8Array): KeyObject => deriveKey(masterKey, EMAIL_CLAIMS);

export const masterId = (masterKey: Uint8Array): string =>
  deriveKey(masterKey, 'master key id').export().toString('hex');

const context = (id: string, name: string): string => JSON.stringify(['master secret', id, name]);

export const wrapSecret = (masterKey: Uint8Array, name: string, secret: KeyObject): Buffer =>
  seal(createSecretKey(masterKey), context(masterId(masterKey), name), secret.export());

export const readMasterSecrets = async (
  pool: Pick<Pool, 'query'>,
  masterKey: Uint8Array,
): Promise<MasterSecrets> => {
  const id = masterId(masterKey);
  const key = createSecretKey(masterKey);
  const { rows } = await pool.query<{ name: string; wrapped: Buffer }>(
    'SELECT name, wrapped FROM keys.master_secret WHERE master = $1 AND name <> $2',
    [id, REPLACED],
  );
  const wrapping = new Map([[0, key]]);
  let emailClaims = firstEmailClaims(masterKey);
  for (const { name, wrapped } of rows) {
    const bytes = open(key, context(id, name), wrapped);
    if (!bytes) throw new WrongMasterKey(name);
    const secret = createSecretKey(bytes);
    if (name === EMAIL_CLAIMS) emailClaims = secret;
    else wrapping.set(Number(name.slice(wrappingName(0).length - 1)), secret);
  }
  return { wrapping, newest: Math.max(...wrapping.keys()), emailClaims };
};
