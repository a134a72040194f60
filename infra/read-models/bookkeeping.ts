/** The engine's own rows beside the read models: how far they are, and what they could not take. */
import type { Instant } from './instant.ts';

/** How far the read models are. One row. */
export interface CheckpointRow {
  only: boolean;
  log_id: string;
  position: string;
  /** The log's own time of the last event applied. */
  event_at: Instant | null;
  updated_at: Instant;
  /** Fold versions by projection: `{ bookings: 1, … }`. */
  versions: Record<string, number>;
  /** Raised by whoever else writes (a switch, a retry of parked events), so that the runner reads everything anew. */
  generation: number;
  /** The runner that holds the lease. */
  holder: string | null;
  lease_until: Instant;
}

/** An event that its folds could not take, or that waits behind one. Key `position`. */
export interface ParkedRow {
  position: string;
  event_id: string;
  type: string;
  stream: string;
  revision: number;
  /** Rows that it touches, `table/key`: later events of these wait behind it. */
  keys: readonly string[];
  /** Null for one that only waits. */
  error: string | null;
  parked_at: Instant;
  tries: number;
}
