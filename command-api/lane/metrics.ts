/** What the lane tells about its work. Calls must be cheap and must not throw. */
export interface LaneMetrics {
  /** A round of one stream was decided: how many callers, how many events. */
  round(callers: number, events: number): void;
  /** One append call was answered: its duration in milliseconds, how many streams and events it carried. */
  append(milliseconds: number, streams: number, events: number): void;
  /** A stream had moved on and is decided again. */
  conflict(aggregate: string): void;
  /** Callers were sent away. */
  busy(why: 'queue' | 'conflicts' | 'draining', callers: number): void;
  /** An append's reply was lost. */
  outcomeUnknown(): void;
  /** After a lost reply the log could not be read either; it is tried again. */
  readFailed(error: unknown): void;
  /** A snapshot could not be written or read; nothing depends on it. */
  snapshotFailed(error: unknown): void;
}

/** Tells nobody. */
export const unmeasured: LaneMetrics = {
  round() {},
  append() {},
  conflict() {},
  busy() {},
  outcomeUnknown() {},
  readFailed() {},
  snapshotFailed() {},
};
