/**
 * The port to the keys that seal personal data: one 256-bit key a subject, wrapped by the master key at rest.
 * A subject is an account id, or a key of ours such as `visitor-2026-11`.
 */
import type { KeyObject } from 'node:crypto';

/** A subject's key, ready to use. */
export interface SubjectKey {
  readonly subject: string;
  readonly version: number;
  /** AES-256. A key object, since a cipher made from bytes first looks in vain, by exceptions, for what else they could be: 12 µs instead of 4. */
  readonly key: KeyObject;
}

/** What to open: a subject and the version of its key. */
export interface KeyRef {
  readonly subject: string;
  readonly version: number;
}

/** Thrown when something should be sealed for a subject whose key was destroyed. No new key is ever made for it. Maps to 410 `ERASED`. */
export class SubjectErased extends Error {
  override readonly name = 'SubjectErased';
  readonly code = 'ERASED';
  readonly subject: string;
  constructor(subject: string) {
    super(`The key of ${subject} has been destroyed`);
    this.subject = subject;
  }
}

/** Thrown when a stored key doesn't open: the master key is not the one that wrapped it. */
export class WrongMasterKey extends Error {
  override readonly name = 'WrongMasterKey';
  constructor(subject: string) {
    super(`MASTER_KEY is not the key that wrapped the key of ${subject}`);
  }
}

/** A person's erasure, as it was asked for. */
export interface Asked {
  /** When, an ISO instant. */
  readonly at: string;
  /** By which account: the person's own, or a superuser's. */
  readonly by?: string | null | undefined;
}

/** The port to the keys that seal personal data. Destroying a subject's keys erases what they sealed, wherever it is kept. */
export interface KeyStore {
  /**
   * The newest key of a subject, made on first use. Plain when it is at hand, else a promise; what is asked for in one turn of
   * the event loop shares one query.
   * @throws SubjectErased (or rejects with it)
   */
  sealing(subject: string): SubjectKey | Promise<SubjectKey>;

  /** A key that is at hand; `'gone'` if it is known to be destroyed; `undefined` means: `fetch` it. */
  opening(ref: KeyRef): SubjectKey | 'gone' | undefined;

  /** The keys of many subjects, in the order asked for, in one query. `'gone'` also for what never was. */
  fetch(refs: readonly KeyRef[]): Promise<readonly (SubjectKey | 'gone')[]>;

  /** Makes a newer version, with which new values are sealed. Older versions still open. @throws SubjectErased */
  rotate(subject: string): Promise<SubjectKey>;

  /**
   * Destroys all versions for good and leaves a tombstone; other processes forget theirs at once (a notification), or within
   * the cache's bound if that is lost. Repeatable; also bars a subject that never had a key.
   * @param asked kept for whoever has to erase them again. Default: now, by nobody
   */
  destroy(subject: string, asked?: Asked): Promise<void>;

  /**
   * Hears of every subject whose keys are destroyed, here or by another process; of `undefined` where news of that may have been missed.
   */
  onDestroyed(hear: (subject: string | undefined) => void): void;

  /**
   * Subjects whose keys stand, by the start of their name: the monthly visitor keys, for example.
   * @param madeBefore leaves out those whose first key is younger
   */
  list(prefix: string, madeBefore?: Date): Promise<readonly string[]>;

  close(): Promise<void>;
}
