import type { Pool } from 'pg';
import { CannotStart } from '#infra/lib/cannot-start.ts';
import type { TicketSigner } from '#infra/tickets/ticket-signer.ts';

/** In `app.mark`, followed by a public key. */
const STARTED_WITH = 'ticket key ';

/**
 * Otherwise all sold tickets would count as forged.
 * @throws CannotStart where the last start's key is neither the signing key nor a retired one
 */
export const proveTicketKey = async (
  pool: Pick<Pool, 'query'>,
  { publicKeys }: Pick<TicketSigner, 'publicKeys'>,
): Promise<void> => {
  const { rows } = await pool.query<{ last: string }>(
    'SELECT substr(name, length($1) + 1) AS last FROM app.mark WHERE starts_with(name, $1) ORDER BY at DESC LIMIT 1',
    [STARTED_WITH],
  );
  const [newest] = rows;
  if (newest && !publicKeys.some(({ publicKey }) => publicKey === newest.last))
    throw new CannotStart(
      'TICKET_SIGNING_KEY is not the one that this site signed its tickets with, nor is that among TICKET_RETIRED_KEYS: give that one.',
    );
};

export const rememberTicketKey = async (
  pool: Pick<Pool, 'query'>,
  { publicKeys }: Pick<TicketSigner, 'publicKeys'>,
): Promise<void> => {
  await pool.query(
    // Later than all earlier marks, even if the clock went back.
    `INSERT INTO app.mark (name, at)
     SELECT $1, greatest(clock_timestamp(), max(at) + interval '1 microsecond') FROM app.mark WHERE starts_with(name, $2)
     ON CONFLICT (name) DO UPDATE SET at = excluded.at`,
    [`${STARTED_WITH}${publicKeys[0]?.publicKey}`, STARTED_WITH],
  );
};
