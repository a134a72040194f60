import { type Position, START } from '#infra/event-log/event-log.ts';

/** The furthest of some positions: what a reader must have seen to see all that a chain of commands did. */
export const latest = (...positions: readonly Position[]): Position => [...positions].sort().at(-1) ?? START;
