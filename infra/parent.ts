/**
 * Who started this process, looked at as early as can be: whoever is gone before that is not noticed to be missing.
 * It imports nothing, so that a program can have it evaluated before everything that takes time to load.
 */
export const startedBy = process.ppid;
