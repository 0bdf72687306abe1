import { smallestWindow } from '../lines/smallest-window.ts'

/** Columns that the chat draws in: one less than the terminal has, between 20 and 100. */
export const screenWidth = (columns: number): number => Math.max(20, Math.min(100, columns - 1))

/** Lines that the status may take: two where one has no room for all of it, and there are rows enough. */
export const statusRows = (width: number, rows: number): 1 | 2 => (width < 60 && rows >= smallestWindow.rows ? 2 : 1)

/**
 * Rows that belong to neither transcript nor input: the status, and the row after the last, which has the cursor.
 */
export const reservedRows = (width: number, rows: number): number => statusRows(width, rows) + 1
