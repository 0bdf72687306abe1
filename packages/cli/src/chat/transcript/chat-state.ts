import type { TreeLine } from '../../text/draw-tree.ts'
import { type Editor, emptyEditor } from '../input/editor.ts'

import type { Question } from './question.ts'
import type { TranscriptItem } from './transcript-item.ts'

export interface TreeWalk {
  readonly lines: readonly TreeLine[]
  readonly at: number
}

export interface ChatState {
  /** Finished: printed once, above. A new epoch prints them anew on a cleared screen. */
  readonly past: readonly TranscriptItem[]
  readonly epoch: number
  /** Still changing, below them. */
  readonly live: readonly TranscriptItem[]
  readonly questions: readonly Question[]
  readonly running: boolean
  readonly activity: string
  readonly editor: Editor
  /** Messages for after this turn. */
  readonly queue: readonly string[]
  readonly tree: TreeWalk | undefined
  /** Thoughts are shown in full. */
  readonly unfolded: boolean
  readonly model: string
  readonly tokens: number
  /** Absent where a part of it is not known. */
  readonly cost: number | undefined
  /** Tokens of the last prompt. */
  readonly context: number
  readonly hooks: string
  /** Under the input, for a moment. */
  readonly hint: string
}

export const emptyChatState: ChatState = {
  past: [],
  epoch: 0,
  live: [],
  questions: [],
  running: false,
  activity: '',
  editor: emptyEditor,
  queue: [],
  tree: undefined,
  unfolded: false,
  model: '',
  tokens: 0,
  cost: 0,
  context: 0,
  hooks: '',
  hint: '',
}

/** Closes a question, or all of them. What was written before it was answered is there again. */
export function closeQuestion(state: ChatState, id?: string): ChatState {
  const [asked] = state.questions
  const over = asked?.writing !== undefined && (id === undefined || asked.id === id)
  return {
    ...state,
    questions: id === undefined ? [] : state.questions.filter(question => question.id !== id),
    ...(over ? { editor: asked.draft ?? emptyEditor } : {}),
  }
}
