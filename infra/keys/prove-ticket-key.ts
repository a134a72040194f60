import type { Pool } from 'pg';
import { CannotStart } from '#infra/lib/cannot-start.ts';
import type { TicketSigner } from '#infra/tickets/ticket-signer.ts';

/** Before a public key, the name of its mark in `app.mark`: the site has started with this key, last at the mark's time. */
const STARTED_WITH = 'ticket key ';

/**
 * Holds the keys of tickets to those that the site has started with. With another key, and without the former one, every ticket that
 * was sold would count as forged, and nothing in the log would show it.
 * @throws CannotStart where neither the signing key nor a retired one is the key that the site signed with last
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

/** Remembers the key that a start signs tickets with from now on. Call it once the key is proven. */
export const rememberTicketKey = async (
  pool: Pick<Pool, 'query'>,
  { publicKeys }: Pick<TicketSigner, 'publicKeys'>,
): Promise<void> => {
  await pool.query(
    // After all marks of before, also where the database's clock went back.
    `INSERT INTO app.mark (name, at)
     SELECT $1, greatest(clock_timestamp(), max(at) + interval '1 microsecond') FROM app.mark WHERE starts_with(name, $2)
     ON CONFLICT (name) DO UPDATE SET at = excluded.at`,
    [`${STARTED_WITH}${publicKeys[0]?.publicKey}`, STARTED_WITH],
  );
};
