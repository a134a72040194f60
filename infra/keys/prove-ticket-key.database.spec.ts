import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { readConfig } from '#infra/config/config.ts';
import { layFoundation } from '#infra/foundation/foundation.ts';
import { createTicketSigner, type TicketSigner } from '#infra/tickets/ticket-signer.ts';
import { freshDatabase, migratedDatabase } from '#tests/kit/database.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { silentLogger } from '#tests/kit/silent-logger.ts';
import { proveTicketKey, rememberTicketKey } from './prove-ticket-key.ts';

const database = migratedDatabase();
beforeEach(async () => {
  await database.pool.query('DELETE FROM app.mark');
});

const newKey = () => generateKeyPairSync('ed25519').privateKey;
const published = (signer: TicketSigner) => signer.publicKeys.map(({ publicKey }) => publicKey);
const start = async (signer: TicketSigner): Promise<void> => {
  await proveTicketKey(database.pool, signer);
  await rememberTicketKey(database.pool, signer);
};
const refusal = /^TICKET_SIGNING_KEY is not the one that this site signed its tickets with/;

test('a wrong ticket key is refused, and the right one is accepted at every start', async () => {
  const signer = createTicketSigner(newKey());
  await start(signer);
  await start(signer);
  await expect(proveTicketKey(database.pool, createTicketSigner(newKey()))).rejects.toThrow(refusal);
});

test('a ticket key can be replaced if the former one is named as retired, which can be left out later', async () => {
  const [former, present] = [newKey(), newKey()];
  await start(createTicketSigner(former));
  await start(createTicketSigner(present, published(createTicketSigner(former))));
  await start(createTicketSigner(present));
});

test('a replaced ticket key is refused on its own, and accepted with the newer one retired', async () => {
  const [former, present] = [newKey(), newKey()];
  const before = createTicketSigner(former);
  await start(before);
  await start(createTicketSigner(present, published(before)));
  await expect(proveTicketKey(database.pool, before)).rejects.toThrow(refusal);
  await start(createTicketSigner(former, published(createTicketSigner(present))));
  await start(before);
});

test('the ticket key of the last start is known even if the database’s clock was put back in between', async () => {
  const [former, present] = [newKey(), newKey()];
  await start(createTicketSigner(former));
  await database.pool.query(`UPDATE app.mark SET at = at + interval '1 day'`);
  await start(createTicketSigner(present, published(createTicketSigner(former))));
  await start(createTicketSigner(present));
  await expect(proveTicketKey(database.pool, createTicketSigner(former))).rejects.toThrow(refusal);
});

test('no program of the site starts with another ticket key', async () => {
  const databaseUrl = await freshDatabase('tables');
  const dataDir = await freshFolder();
  const layWith = (key: string) =>
    layFoundation({
      name: 'spec',
      config: readConfig({ DATA_DIR: dataDir, DEMO: 'off', TICKET_SIGNING_KEY: key }),
      databaseUrl,
      logger: silentLogger(),
    });
  const first = await layWith(randomBytes(32).toString('base64'));
  await rememberTicketKey(first.database.pool, first.signer);
  await first.close();
  await expect(layWith(randomBytes(32).toString('base64'))).rejects.toThrow(refusal);
});
