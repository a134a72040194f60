/**
 * The program's own secrets: from the environment, or made once under `DATA_DIR/keys`, readable by nobody else.
 * Production demands them from the environment, so that they don't lie beside the data that they protect.
 */
import { createPrivateKey, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { link, open, readFile, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { asUnwritable, CannotStart } from '#infra/lib/cannot-start.ts';
import { hasCode } from '#infra/lib/machine.ts';
import { makeFolder } from '#infra/lib/make-folder.ts';

const NAMES = ['MASTER_KEY', 'TICKET_SIGNING_KEY', 'CHECKPOINT_SIGNING_KEY'] as const;
type SecretName = (typeof NAMES)[number];

/** The secrets that every process of a site shares. */
export interface Secrets {
  /** 32 bytes; wraps the subject keys, and others derive from it. Losing it is losing all personal data. */
  readonly masterKey: Uint8Array;
  /** Ed25519 private keys. */
  readonly ticketSigningKey: KeyObject;
  readonly checkpointSigningKey: KeyObject;
}

/** Where the secrets come from. */
export interface SecretSources {
  /** Where what is not in `env` is read from. */
  readonly dataDir: string;
  readonly production: boolean;
  /** Whether what is missing is made, outside production. Default: yes */
  readonly make?: boolean;
  readonly env: Readonly<Partial<Record<SecretName, string>>>;
}

/** Thrown when a secret is missing and must not be made, or is not 32 bytes in base64 or hex. Its message names the variable. */
export class BadSecret extends CannotStart {
  override readonly name = 'BadSecret';
}

/** 32 bytes written as 64 hexadecimal digits, base64 or base64url. */
export const parseSecret = (name: SecretName | 'NEW_MASTER_KEY', text: string): Uint8Array => {
  const trimmed = text.trim();
  const bytes = /^[0-9a-f]{64}$/i.test(trimmed)
    ? Buffer.from(trimmed, 'hex')
    : Buffer.from(trimmed, 'base64');
  if (bytes.length !== 32)
    throw new BadSecret(`${name} must be 32 bytes, as base64 or 64 hexadecimal digits`);
  return new Uint8Array(bytes);
};

/** Reads the file, or makes it whole under another name first, so that a kill in between leaves no half of a key. */
const readOrMake = async (folder: string, name: SecretName, make: boolean): Promise<string> => {
  const path = join(folder, name);
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  if (!make)
    throw new BadSecret(
      `${name} is neither set nor in ${folder}: give this the same variables as the site, DATA_DIR above all.`,
    );
  await makeFolder(folder, 0o700).catch((error: unknown) => {
    throw asUnwritable(folder, error);
  });
  const secret = randomBytes(32).toString('base64');
  const draft = `${path}.${randomUUID()}`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(`${secret}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  // Of several processes that start at the same moment one makes it, and all take what stands.
  await link(draft, path).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error;
  });
  await unlink(draft);
  return readFile(path, 'utf8');
};

/** PKCS #8 for Ed25519 is this header and the 32 bytes of the seed (RFC 8410). */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');
const ed25519 = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' });

/** Which secrets are neither in the environment nor among these names. */
export const missingSecrets = (
  env: SecretSources['env'],
  others: readonly string[] = [],
): readonly SecretName[] => NAMES.filter((name) => !env[name] && !others.includes(name));

/** The files of secrets that others than their owner can read. Windows tells no rights of that kind. */
export const exposedSecrets = async (dataDir: string): Promise<readonly string[]> => {
  if (process.platform === 'win32') return [];
  const files = NAMES.map((name) => join(dataDir, 'keys', name));
  const modes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ mode }) => mode,
        () => 0,
      ),
    ),
  );
  return files.filter((_, at) => ((modes[at] ?? 0) & 0o077) !== 0);
};

/** Loads all secrets, making what is missing where it may. @throws BadSecret, or CannotStart where they can't be written */
export const loadSecrets = async ({
  dataDir,
  production,
  make = true,
  env,
}: SecretSources): Promise<Secrets> => {
  const folder = join(dataDir, 'keys');
  const missing = missingSecrets(env);
  if (production && missing.length > 0)
    throw new BadSecret(`${missing.join(', ')} must be set in production (32 random bytes each, as base64)`);

  const load = async (name: SecretName): Promise<Uint8Array> =>
    parseSecret(name, env[name] || (await readOrMake(folder, name, make)));
  return {
    masterKey: await load('MASTER_KEY'),
    ticketSigningKey: ed25519(await load('TICKET_SIGNING_KEY')),
    checkpointSigningKey: ed25519(await load('CHECKPOINT_SIGNING_KEY')),
  };
};
