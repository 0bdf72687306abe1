import type { Run } from '../command-table.ts'
export const run: Run = async () => 0
