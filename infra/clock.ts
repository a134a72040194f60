/** The time, passed in wherever it is needed, so that rules and specs never read a real clock. */
export type Clock = () => Date;

/** The machine's own clock. */
export const systemClock: Clock = () => new Date();
