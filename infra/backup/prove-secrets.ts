import type { Pool } from 'pg';
import { openCheckpoint } from '#domain/proof/proof.ts';
import type { Config } from '#infra/config/config.ts';
import { loadSecrets, type Secrets } from '#infra/keys/files.ts';
import { createPostgresKeyStore } from '#infra/keys/postgres.ts';
import { proveMasterKey } from '#infra/keys/prove-master-key.ts';
import { proveTicketKey } from '#infra/keys/prove-ticket-key.ts';
import { CannotStart } from '#infra/lib/cannot-start.ts';
import { createCheckpointSigner } from '#infra/proof/proof.ts';
import { createTicketSigner } from '#infra/tickets/ticket-signer.ts';

/**
 * A backup with wrong secrets would only be noticed on restore.
 * @throws CannotStart if a secret is missing, or is not this database's
 */
export const proveSecrets = async (pool: Pool, config: Config): Promise<Secrets> => {
  const { dataDir, production, secrets: env, retiredTicketKeys, retiredCheckpointKeys } = config;
  const secrets = await loadSecrets({ dataDir, production, make: false, env });
  const { masterKey, ticketSigningKey, checkpointSigningKey } = secrets;
  await proveMasterKey(pool, createPostgresKeyStore({ pool, masterKey }));
  await proveTicketKey(pool, createTicketSigner(ticketSigningKey, retiredTicketKeys));
  const { publicKeys } = createCheckpointSigner(checkpointSigningKey, retiredCheckpointKeys);
  const { rows } = await pool.query<{ note: string }>(
    'SELECT note FROM app.tree_checkpoint ORDER BY size DESC LIMIT 1',
  );
  const [newest] = rows;
  if (newest && !(await openCheckpoint(newest.note, publicKeys)))
    throw new CannotStart(
      'CHECKPOINT_SIGNING_KEY is not the one that the newest checkpoint in this database is signed with, nor is that among CHECKPOINT_RETIRED_KEYS: give that one.',
    );
  return secrets;
};
