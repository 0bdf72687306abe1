/** The smallest window that is provided for. */
export const smallestWindow = { columns: 40, rows: 20 } as const
