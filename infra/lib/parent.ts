/** Import this file first, and keep it free of imports: a parent that ends before would go unnoticed. */
export const startedBy = process.ppid;
