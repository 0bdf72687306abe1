/** Columns that the chat draws in: one less than the terminal has, between 20 and 100. */
export const screenWidth = (columns: number): number => Math.max(20, Math.min(100, columns - 1))

/**
 * Rows that belong to neither transcript nor input: the status line, and the row after the last, which has the cursor.
 */
export const reservedRows = 2
