import { deepFreeze } from '../base/deep-freeze.ts'
import { isMessage, isToolResult } from '../base/message.ts'
import { seal, shownNode, TreeNode } from '../history/tree.ts'
import type { StageFrame } from '../types/stage-frame.ts'

/**
 * A stage's result as hooks see it: a change in place would get past the hooks behind, and be in no `explain()`. A call's result is a
 * copy from then on, since the tool may keep what it returned; so is a plain object that a stage gave.
 */
export function frozenResult(frame: StageFrame): unknown {
  const { result, stage } = frame
  if (result instanceof TreeNode) return Object.freeze({ ...shownNode(result), message: seal(result.message) })
  if (Object.isFrozen(result)) return result
  if (stage.takes === 'call' && isToolResult(result)) {
    const { value } = result
    const copied = typeof value === 'object' && value !== null ? structuredClone(value) : value
    frame.result = Object.freeze({ ...result, value: deepFreeze(copied) })
  } else if (Array.isArray(result)) for (const each of Object.freeze(result)) Object.freeze(each)
  else if (isMessage(result)) seal(result)
  else if (isPlainObject(result)) frame.result = Object.freeze({ ...result })
  return frame.result
}

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
