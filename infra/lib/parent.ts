/**
 * The number of the process that started this one. A start imports this file first, before anything that takes time to load:
 * if the parent ended before the number was read, nobody would notice. For that reason this file imports nothing.
 */
export const startedBy = process.ppid;
