import type { Pool } from 'pg';
import type { Position } from '#infra/event-log/event-log.ts';
import { createTextSealer } from '#infra/keys/cipher.ts';

export interface Snapshot {
  readonly logId: string;
  readonly stream: string;
  readonly version: number;
  readonly revision: number;
  readonly position: Position;
  readonly state: unknown;
}

/** A cache: losing snapshots is harmless. */
export interface SnapshotStore {
  load(logId: string, stream: string, version: number): Promise<Snapshot | undefined>;
  save(snapshot: Snapshot): Promise<void>;
}

interface Row {
  readonly revision: number;
  readonly position: string;
  readonly state: string;
}

/** In `app.snapshot`, sealed with a key derived from the master key. Ignores unreadable ones. */
export const createPostgresSnapshots = (pool: Pool, masterKey: Uint8Array): SnapshotStore => {
  const sealer = createTextSealer(masterKey, 'snapshots');
  const contextOf = (logId: string, stream: string, version: number, revision: number): string =>
    JSON.stringify([logId, stream, version, revision]);
  return {
    async load(logId, stream, version) {
      const { rows } = await pool.query<Row>(
        'SELECT revision, position, state FROM app.snapshot WHERE log_id = $1 AND stream = $2 AND fold_version = $3',
        [logId, stream, version],
      );
      const row = rows[0];
      const text = row && sealer.open(contextOf(logId, stream, version, Number(row.revision)), row.state);
      if (!row || text === undefined) return undefined;
      return {
        logId,
        stream,
        version,
        revision: Number(row.revision),
        position: row.position,
        state: JSON.parse(text),
      };
    },
    async save({ logId, stream, version, revision, position, state }) {
      const sealed = sealer.seal(contextOf(logId, stream, version, revision), JSON.stringify(state));
      await pool.query(
        `INSERT INTO app.snapshot AS kept (log_id, stream, fold_version, revision, position, state)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (log_id, stream) DO UPDATE SET fold_version = excluded.fold_version,
           revision = excluded.revision, position = excluded.position, state = excluded.state
         WHERE kept.fold_version <> excluded.fold_version OR kept.revision < excluded.revision`,
        [logId, stream, version, revision, position, sealed],
      );
    },
  };
};
