/** Import this file first, and keep it free of imports: a parent that ends before its pid is read would go unnoticed. */
export const startedBy = process.ppid;
