import { paint } from '../../text/theme.ts'
import { itemLines } from '../lines/item-lines.ts'
import { questionLines } from '../question/question-lines.ts'
import type { ChatState } from '../transcript/chat-state.ts'
import { pickerLines } from './choice-lines.ts'
import type { Frame } from './frame.ts'
import { inputLines } from './input-lines.ts'
import { layoutScreen, type ScreenLayout } from './layout-screen.ts'
import { statusLines } from './status-line.ts'
import { treeLines } from './tree-lines.ts'

/** Facts for a frame that are not part of the chat's state. */
export interface FrameView {
  readonly columns: number
  readonly rows: number
  readonly now: number
  /** Names of the person's own hooks that run at this moment. */
  readonly hooks: readonly string[]
}

/** All below the transcript: what still happens, then questions, input and status. */
export function chatFrame(state: ChatState, { columns, rows, now, hooks }: FrameView): Frame {
  const layout = layoutScreen(state, columns, rows)
  const { width, live, more } = layout
  const [question] = state.questions
  const view = { width, height: layout.reply, now, unfolded: state.unfolded, settled: false }
  const above = [
    ...(more > 0 ? [paint('quiet', `… ${more} more`)] : []),
    ...live.flatMap(item => itemLines(item, view)),
    ...layout.beside,
    ...(question && layout.question ? questionLines(question, layout.question, width) : []),
  ]
  const input = writtenPart(state, layout)
  const { cursor } = input
  return {
    lines: [
      ...above,
      ...input.lines,
      ...statusLines(state, { hooks, now, width, rows }).map(line => paint('quiet', line)),
    ],
    cursor: { ...cursor, row: above.length + cursor.row },
  }
}

/** The part that one writes in: the input, or the list that is searched or walked in its place. */
function writtenPart(state: ChatState, layout: ScreenLayout): Frame {
  if (state.picker) return pickerLines(state.picker, layout.tree, layout.width)
  return state.tree ? treeLines(state.tree, layout.tree, layout.width) : inputLines(state, layout)
}
