/**
 * Import this file first, and keep it free of imports: if the parent ended before its pid was read, its end
 * would go unnoticed.
 */
export const startedBy = process.ppid;
