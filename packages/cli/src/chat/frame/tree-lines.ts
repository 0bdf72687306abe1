import { paint } from '../../text/theme.ts'
import { cutText } from '../../text/wrap-text.ts'
import type { TreeWalk } from '../transcript/chat-state.ts'
import type { Frame } from './frame.ts'

/** The part of the tree around the chosen line. That line is marked and has the cursor, too: not every terminal has colours. */
export function treeLines({ lines, at }: TreeWalk, height: number, width: number): Frame {
  const from = Math.max(0, Math.min(at - Math.floor(height / 2), lines.length - height))
  const shown = lines.slice(from, from + height).map(({ text, onPath, isHead }, i) => {
    const chosen = from + i === at
    const line = cutText(`${chosen ? '›' : ' '}${isHead ? '●' : ' '} ${text}`, width)
    return chosen ? paint('chosen', line) : onPath ? line : paint('quiet', line)
  })
  const keys = width < 50 ? '↑ ↓ · Enter goes there · Esc closes' : '↑ ↓ walk · Enter goes on from there · Esc closes'
  return { lines: ['', ...shown, paint('quiet', keys)], cursor: { row: 1 + at - from, column: 0 } }
}
