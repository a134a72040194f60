/** Production requires secrets in the environment, so that they are not beside the data. */
import { createPrivateKey, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { link, open, readFile, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { asUnwritable, CannotStart } from '#infra/lib/cannot-start.ts';
import { hasCode } from '#infra/lib/machine.ts';
import { makeFolder } from '#infra/lib/make-folder.ts';

const NAMES = ['MASTER_KEY', 'TICKET_SIGNING_KEY', 'CHECKPOINT_SIGNING_KEY'] as const;
type SecretName = (typeof NAMES)[number];

export interface Secrets {
  /** 32 bytes; wraps the subject keys, and other keys derive from it. Without it all personal data is lost. */
  readonly masterKey: Uint8Array;
  /** Ed25519. */
  readonly ticketSigningKey: KeyObject;
  readonly checkpointSigningKey: KeyObject;
}

export interface SecretSources {
  readonly dataDir: string;
  readonly production: boolean;
  readonly make?: boolean;
  readonly env: Readonly<Partial<Record<SecretName, string>>>;
}

/** Missing and must not be generated, or not 32 bytes in base64 or hex. */
export class BadSecret extends CannotStart {
  override readonly name = 'BadSecret';
}

export const parseSecret = (name: SecretName | 'NEW_MASTER_KEY', text: string): Uint8Array => {
  const trimmed = text.trim();
  const bytes = /^[0-9a-f]{64}$/i.test(trimmed)
    ? Buffer.from(trimmed, 'hex')
    : Buffer.from(trimmed, 'base64');
  if (bytes.length !== 32)
    throw new BadSecret(`${name} must be 32 bytes, as base64 or 64 hexadecimal digits`);
  return new Uint8Array(bytes);
};

/** A kill leaves no partial key. */
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
  await link(draft, path).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error;
  });
  await unlink(draft);
  return readFile(path, 'utf8');
};

/** PKCS #8 for Ed25519 is this header and the 32-byte seed (RFC 8410). */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');
const ed25519 = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' });

export const missingSecrets = (
  env: SecretSources['env'],
  others: readonly string[] = [],
): readonly SecretName[] => NAMES.filter((name) => !env[name] && !others.includes(name));

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
