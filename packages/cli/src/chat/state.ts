import type { TreeLine } from '../draw-tree.ts'
import { type Editor, emptyEditor } from './editor.ts'

export interface ToolItem {
  readonly kind: 'tool'
  readonly id: string
  /** The reply that asks for it, while that is being written. */
  readonly messageId?: string
  readonly name: string
  readonly args: unknown
  readonly status: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly durationMs?: number
  readonly result?: unknown
  readonly progress?: string
  readonly done: boolean
}

export interface ReplyItem {
  readonly kind: 'reply'
  readonly id: string
  readonly text: string
  readonly reasoning: string
  /** How it ended, where it is not whole. */
  readonly cut?: 'interrupted' | 'cut off'
  readonly done: boolean
}

/** One thing on the screen. */
export type Item =
  | { readonly kind: 'user'; readonly id: string; readonly text: string; readonly done: true }
  | {
      readonly kind: 'notice'
      readonly id: string
      readonly text: string
      readonly tone: 'plain' | 'warn'
      readonly done: true
    }
  | ReplyItem
  | ToolItem

/** What waits for the person. */
export interface Question {
  readonly id: string
  readonly kind: 'permission' | 'text' | 'yes-no' | 'outcome'
  /** `May shell run?` */
  readonly title: string
  readonly body: string
  readonly diff?: string
  /** For a permission: what is asked about. */
  readonly args?: unknown
  readonly scopes?: readonly string[]
  readonly pattern?: string
  /** Writing a reason for a no, other arguments, or an answer in words. What was written before waits meanwhile. */
  readonly writing?: 'reason' | 'args' | 'answer' | undefined
  readonly draft?: Editor
  readonly help?: boolean
  readonly problem?: string | undefined
}

export interface TreeWalk {
  readonly lines: readonly TreeLine[]
  readonly at: number
}

export interface ChatState {
  /** Finished: printed once, above. A new epoch prints them anew on a cleared screen. */
  readonly past: readonly Item[]
  readonly epoch: number
  /** Still changing, below them. */
  readonly live: readonly Item[]
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

export const emptyState: ChatState = {
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

/** Adds something finished, behind what is still changing. */
export const show = (state: ChatState, item: Item): ChatState => settle({ ...state, live: [...state.live, item] })

/** Moves what is finished at the front to the past, so that the order stays. */
export function settle(state: ChatState): ChatState {
  const open = state.live.findIndex(({ done }) => !done)
  const count = open < 0 ? state.live.length : open
  if (!count) return state
  return { ...state, past: [...state.past, ...state.live.slice(0, count)], live: state.live.slice(count) }
}

export const change = (state: ChatState, id: string, update: (item: Item) => Item): ChatState =>
  settle({ ...state, live: state.live.map(item => (item.id === id ? update(item) : item)) })
