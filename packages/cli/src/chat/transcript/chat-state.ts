import type { ConversationState } from 'turnbuckle/client'
import type { PermissionMode } from '../../compose/permissions/permission-mode.ts'
import type { TreeLine } from '../../text/draw-tree.ts'
import { type Editor, emptyEditor } from '../editor/editor.ts'
import type { HistorySearch } from '../editor/search-history.ts'
import type { Menu } from '../menu/menu.ts'
import type { Picker } from '../menu/picker.ts'
import type { Question } from './question.ts'
import { emptyView } from './recorded-view.ts'
import type { TranscriptItem } from './transcript-item.ts'

export interface TreeWalk {
  readonly lines: readonly TreeLine[]
  readonly at: number
}

/** Work beside turns, as a command of the person's own. */
export interface WorkBeside {
  readonly name: string
  /** The end of what it has written so far. */
  readonly output?: string
  end(): void
}

export interface ChatState {
  /** The conversation as its events have left it. Live items are derived from it. */
  readonly view: ConversationState
  /** Finished items: printed once, above the live ones. A new epoch prints them again on an empty screen. */
  readonly past: readonly TranscriptItem[]
  readonly epoch: number
  /** True while earlier messages are not read. */
  readonly hasOlder: boolean
  /** Items that still change, below the past. */
  readonly live: readonly TranscriptItem[]
  readonly questions: readonly Question[]
  readonly running: boolean
  /** Whether a turn of another process is followed, or the last one that was has ended. */
  readonly followed: 'none' | 'on' | 'ended'
  readonly activity: string
  /** Work beside turns, and how to end it: a command of the person's own, a summary that is being written. */
  readonly beside: readonly WorkBeside[]
  /** Number of shell commands that run in the background. */
  readonly background: number
  readonly editor: Editor
  /** Messages for after this turn. */
  readonly queue: readonly string[]
  readonly tree: TreeWalk | undefined
  /** The transcript in full, over everything else: lines that are below the screen. */
  readonly pager: { readonly below: number } | undefined
  /** Commands or files that what is being written may mean. */
  readonly menu: Menu | undefined
  /** A list to choose from, in place of the input. */
  readonly picker: Picker | undefined
  /** Ctrl-R: a search in the lines that were sent before. */
  readonly search: HistorySearch | undefined
  readonly mode: PermissionMode
  /** Reasoning is shown in full. */
  readonly unfolded: boolean
  readonly model: string
  readonly tokens: number
  /** In dollars, of the conversation, as far as it is known. */
  readonly cost: number
  /** True where a part of the cost is not known: a call that was cut off, a model without a price. */
  readonly isCostPartial: boolean
  /** MCP servers that are still being connected: `connecting to files`. */
  readonly awaited: string
  /** Name of the project's folder, with its branch: `shop (main)`. */
  readonly folder: string
  /** Beginning of the running turn, in milliseconds since the epoch; 0 without one. */
  readonly startedAt: number
  /** Set while the turn waits to try a model call again: when, and which attempt failed. */
  readonly retry: { readonly until: number; readonly attempt: number } | undefined
  /** Tokens of the last prompt. */
  readonly context: number
  /** Shown under the input until the next key press. */
  readonly hint: string
}

export const emptyChatState: ChatState = {
  view: emptyView,
  past: [],
  epoch: 0,
  hasOlder: false,
  pager: undefined,
  live: [],
  questions: [],
  running: false,
  followed: 'none',
  activity: '',
  beside: [],
  background: 0,
  editor: emptyEditor,
  queue: [],
  tree: undefined,
  menu: undefined,
  picker: undefined,
  search: undefined,
  mode: 'ask',
  unfolded: false,
  model: '',
  tokens: 0,
  cost: 0,
  isCostPartial: false,
  awaited: '',
  folder: '',
  startedAt: 0,
  retry: undefined,
  context: 0,
  hint: '',
}

/**
 * Closes a question, or all that the turn has asked: those of the chat's own stay. The draft from before its answer was
 * written goes back into the input.
 */
export function closeQuestion(state: ChatState, id?: string): ChatState {
  const [asked] = state.questions
  const left = state.questions.filter(question => (id === undefined ? question.own : question.id !== id))
  const over = asked?.writing !== undefined && !left.includes(asked)
  return { ...state, questions: left, ...(over ? { editor: asked.draft ?? emptyEditor } : {}) }
}
