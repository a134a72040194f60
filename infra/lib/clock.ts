/** Gives the current time. It is passed to whatever needs the time, so that specs can set it. */
export type Clock = () => Date;

/** The clock of the machine. */
export const systemClock: Clock = () => new Date();
