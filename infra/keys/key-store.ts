/** One 256-bit key per subject, wrapped by the master key. A subject is an account id, or such as `visitor-2026-11`. */
import type { KeyObject } from 'node:crypto';

export interface SubjectKey {
  readonly subject: string;
  readonly version: number;
  /** A KeyObject, since creating a cipher from raw bytes takes 12 µs instead of 4. */
  readonly key: KeyObject;
}

export interface KeyRef {
  readonly subject: string;
  readonly version: number;
}

/** The subject's key was destroyed; no new one is ever made. HTTP 410 `ERASED`. */
export class SubjectErased extends Error {
  override readonly name = 'SubjectErased';
  readonly code = 'ERASED';
  readonly subject: string;
  constructor(subject: string) {
    super(`The key of ${subject} has been destroyed`);
    this.subject = subject;
  }
}

export class WrongMasterKey extends Error {
  override readonly name = 'WrongMasterKey';
  constructor(subject: string) {
    super(`MASTER_KEY is not the key that wrapped the key of ${subject}`);
  }
}

export interface Asked {
  readonly at: string;
  readonly by?: string | null | undefined;
}

export interface KeyStore {
  /**
   * Created on first use. Synchronous if cached; requests of one event-loop turn share a query.
   * @throws SubjectErased (or rejects with it)
   */
  sealing(subject: string): SubjectKey | Promise<SubjectKey>;

  /** A cached key; `'gone'` if known to be destroyed; `undefined`: call `fetch`. */
  opening(ref: KeyRef): SubjectKey | 'gone' | undefined;

  /** In the given order, in one query. `'gone'` also for keys that never existed. */
  fetch(refs: readonly KeyRef[]): Promise<readonly (SubjectKey | 'gone')[]>;

  /**
   * Older versions still open.
   * @throws SubjectErased
   */
  rotate(subject: string): Promise<SubjectKey>;

  /**
   * Destroys all versions permanently. Other processes drop theirs at once, or within the cache's maximum
   * age. Idempotent; also blocks a subject without a key.
   * @param asked recorded for repeating the erasure. Default: now, by nobody
   */
  destroy(subject: string, asked?: Asked): Promise<void>;

  /** In any process; with `undefined` when notifications may have been missed. */
  onDestroyed(hear: (subject: string | undefined) => void): void;

  /**
   * Subjects with keys, by prefix.
   * @param madeBefore excludes subjects whose first key is younger
   */
  list(prefix: string, madeBefore?: Date): Promise<readonly string[]>;

  close(): Promise<void>;
}
