/** Implementations must be fast and must not throw. */
export interface LaneMetrics {
  append(milliseconds: number, events: number): void;
  conflict(): void;
  readFailed(error: unknown): void;
  snapshotFailed(error: unknown): void;
}

export const unmeasured: LaneMetrics = {
  append() {},
  conflict() {},
  readFailed() {},
  snapshotFailed() {},
};
