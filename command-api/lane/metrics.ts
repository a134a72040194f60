/** What the lane reports of its work. Implementations must be fast and must not throw. */
export interface LaneMetrics {
  /** One append call was answered after `milliseconds`. */
  append(milliseconds: number, events: number): void;
  /** Another process had appended to the stream; its callers are decided again. */
  conflict(): void;
  /** After a lost reply, the log could not be read either. It is tried again. */
  readFailed(error: unknown): void;
  /** A snapshot could not be written or read. Nothing depends on it. */
  snapshotFailed(error: unknown): void;
}

/** Ignores all reports. */
export const unmeasured: LaneMetrics = {
  append() {},
  conflict() {},
  readFailed() {},
  snapshotFailed() {},
};
