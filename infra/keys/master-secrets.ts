/**
 * What the master key protects. A site starts with a master key that wraps people's keys itself, and from which the key of
 * email claims derives. A change of the master key (`rotate-master-key.ts`) brings a new wrapping key, kept in
 * `keys.master_secret` under the old and the new master key alike: processes with either go on side by side. The key of email
 * claims must stay the same for ever, so it is kept there too.
 */
import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Pool } from 'pg';
import { deriveKey, open, seal } from './cipher.ts';
import { WrongMasterKey } from './key-store.ts';

/** What one master key opens. */
export interface MasterSecrets {
  /** By version. A person's key says with which of them it is wrapped. */
  readonly wrapping: ReadonlyMap<number, KeyObject>;
  /** The version that new keys are wrapped with. */
  readonly newest: number;
  readonly emailClaims: KeyObject;
}

/** The name of a wrapping key in the table. */
export const wrappingName = (version: number): string => `wrapping ${version}`;
/** The name of the key of email claims in the table. */
export const EMAIL_CLAIMS = 'email claims';
/** Under this name a master key says that another one takes its place. */
export const REPLACED = 'replaced';

/** The key of email claims on a site whose master key never changed. */
export const firstEmailClaims = (masterKey: Uint8Array): KeyObject => deriveKey(masterKey, EMAIL_CLAIMS);

/** Names a master key in the table. */
export const masterId = (masterKey: Uint8Array): string =>
  deriveKey(masterKey, 'master key id').export().toString('hex');

const context = (id: string, name: string): string => JSON.stringify(['master secret', id, name]);

/** A secret as the table keeps it under a master key. */
export const wrapSecret = (masterKey: Uint8Array, name: string, secret: KeyObject): Buffer =>
  seal(createSecretKey(masterKey), context(masterId(masterKey), name), secret.export());

/** Reads what is kept under a master key. @throws WrongMasterKey for a row that was changed */
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
