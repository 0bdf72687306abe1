import type { ToolResult } from '../../core/base/message.ts'
import type { Cleaner } from './cleaner.ts'
import { list } from './list.ts'

/** The result of a call without finds, or withheld where a find `blocks`. The result itself when there were none. */
export function cleanResult(clean: Cleaner, result: ToolResult, blocks: boolean): ToolResult {
  const { value, kinds } = clean.result(result.value)
  if (!kinds.length) return result
  return blocks
    ? { status: 'blocked', value: `The result was withheld: it contains ${list(kinds)}.` }
    : { status: result.status, value }
}
