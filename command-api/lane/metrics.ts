/** What the lane reports of its work. Implementations must be fast and must not throw. */
export interface LaneMetrics {
  /** Callers of one stream were decided together. */
  round(callers: number, events: number): void;
  /** One append call was answered after `milliseconds`. */
  append(milliseconds: number, streams: number, events: number): void;
  /** Another process had appended to the stream; its callers are decided again. */
  conflict(aggregate: string): void;
  /** Callers got Busy. */
  busy(why: 'queue' | 'conflicts' | 'draining', callers: number): void;
  /** The reply to an append was lost. */
  outcomeUnknown(): void;
  /** After a lost reply, the log could not be read either. It is tried again. */
  readFailed(error: unknown): void;
  /** A snapshot could not be written or read. Nothing depends on it. */
  snapshotFailed(error: unknown): void;
}

/** Ignores all reports. */
export const unmeasured: LaneMetrics = {
  round() {},
  append() {},
  conflict() {},
  busy() {},
  outcomeUnknown() {},
  readFailed() {},
  snapshotFailed() {},
};
