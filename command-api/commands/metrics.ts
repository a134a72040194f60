/** Implementations must be fast and must not throw. */
export interface CommandMetrics {
  append(milliseconds: number, events: number): void;
  conflict(): void;
  readFailed(error: unknown): void;
  snapshotFailed(error: unknown): void;
}

export const unmeasured: CommandMetrics = {
  append() {},
  conflict() {},
  readFailed() {},
  snapshotFailed() {},
};
