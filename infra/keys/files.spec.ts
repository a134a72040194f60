import { createPublicKey, sign, verify } from 'node:crypto';
import { chmod, readdir, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { freshFolder } from '#tests/kit/folder.ts';
import { createEmailId } from './email-claims.ts';
import { BadSecret, exposedSecrets, loadSecrets } from './files.ts';
import { firstEmailClaims } from './master-secrets.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await freshFolder();
});

describe('loading the secrets', () => {
  it('makes them once, readable by their owner only', async () => {
    const first = await loadSecrets({ dataDir, production: false, env: {} });
    const second = await loadSecrets({ dataDir, production: false, env: {} });
    expect(second.masterKey).toEqual(first.masterKey);
    expect(second.ticketSigningKey.equals(first.ticketSigningKey)).toBe(true);
    expect(first.ticketSigningKey.equals(first.checkpointSigningKey)).toBe(false);
    const files = await readdir(join(dataDir, 'keys'));
    expect(files.sort()).toEqual(['CHECKPOINT_SIGNING_KEY', 'MASTER_KEY', 'TICKET_SIGNING_KEY']);
    for (const file of files) expect((await stat(join(dataDir, 'keys', file))).mode & 0o777).toBe(0o600);
  });

  it('makes them once if several processes start at the same moment', async () => {
    const all = await Promise.all(
      Array.from({ length: 8 }, () => loadSecrets({ dataDir, production: false, env: {} })),
    );
    const again = await loadSecrets({ dataDir, production: false, env: {} });
    for (const { masterKey } of all) expect(masterKey).toEqual(again.masterKey);
    expect(await readdir(join(dataDir, 'keys'))).toHaveLength(3);
  });

  it('reports which of them others can read', async () => {
    expect(await exposedSecrets(dataDir)).toEqual([]);
    await loadSecrets({ dataDir, production: false, env: {} });
    expect(await exposedSecrets(dataDir)).toEqual([]);
    const file = join(dataDir, 'keys', 'MASTER_KEY');
    await chmod(file, 0o640);
    expect(await exposedSecrets(dataDir)).toEqual(process.platform === 'win32' ? [] : [file]);
  });

  it('reports that they cannot be written', async () => {
    const folder = join(dataDir, 'keys');
    await symlink(join(dataDir, 'gone'), folder);
    await expect(loadSecrets({ dataDir, production: false, env: {} })).rejects.toThrow(
      `The data folder ${folder} can't be written: `,
    );
  });

  it('makes Ed25519 keys', async () => {
    const { ticketSigningKey } = await loadSecrets({ dataDir, production: false, env: {} });
    const signature = sign(null, Buffer.from('x'), ticketSigningKey);
    expect(verify(null, Buffer.from('x'), createPublicKey(ticketSigningKey), signature)).toBe(true);
  });

  it('requires them in production and names the missing ones', async () => {
    const env = { MASTER_KEY: Buffer.alloc(32, 7).toString('base64') };
    const loading = loadSecrets({ dataDir, production: true, env });
    await expect(loading).rejects.toThrow(BadSecret);
    await expect(loading).rejects.toThrow(/^TICKET_SIGNING_KEY, CHECKPOINT_SIGNING_KEY must be set/);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('accepts base64 and hexadecimal, and refuses anything other than 32 bytes', async () => {
    const bytes = Buffer.alloc(32, 7);
    for (const text of [bytes.toString('hex'), bytes.toString('base64url'), bytes.toString('base64')])
      expect(
        (await loadSecrets({ dataDir, production: false, env: { MASTER_KEY: text } })).masterKey,
      ).toEqual(new Uint8Array(bytes));
    await expect(loadSecrets({ dataDir, production: false, env: { MASTER_KEY: 'secret' } })).rejects.toThrow(
      /^MASTER_KEY must be 32/,
    );
  });
});

describe('the id of an email address', () => {
  it('is the same however the address is written, and depends on the first master key', () => {
    const idOf = createEmailId(firstEmailClaims(Buffer.alloc(32, 1)));
    expect(idOf(' Ann@Example.org ')).toBe(idOf('ann@example.org'));
    expect(idOf('ann@example.org')).toMatch(/^[0-9a-f]{64}$/);
    expect(idOf('bob@example.org')).not.toBe(idOf('ann@example.org'));
    const other = createEmailId(firstEmailClaims(Buffer.alloc(32, 2)));
    expect(other('ann@example.org')).not.toBe(idOf('ann@example.org'));
  });
});
