import type { MatchedHandler } from './hook-handler.ts'

/** Hooks of one settings file or plugin. */
export interface ClaudeHookSource {
  /** Whose they are. Only hooks of the `user` may allow a call; those of anybody may forbid one. */
  readonly from: 'user' | 'project' | 'local' | 'plugin'
  /** The file they were read from. */
  readonly file: string
  /** Its handlers, in the order they are written. */
  readonly handlers: readonly MatchedHandler[]
  /** Texts about entries that cannot run here. */
  readonly problems: readonly string[]
  /** The plugin's folder, and the folder for its data. */
  readonly plugin?: { readonly root: string; readonly data: string }
  /** The file's part, where its hooks are in the head of one: they run in that sub-agent, or once that skill or command was invoked. */
  readonly of?: { readonly kind: 'agent' | 'skill' | 'command'; readonly name: string }
  /**
   * Asked before a handler runs. A text says why it may not run: a call or prompt that the handler would have looked at is then blocked, and any
   * other event passed over.
   */
  readonly refused?: (handler: MatchedHandler) => string | undefined
}

const words = { user: 'User', project: 'Project', local: 'Local', plugin: 'Plugin' } as const

/** The source's name for a person: `[Project]`. */
export const sourceLabel = ({ from }: ClaudeHookSource): string => `[${words[from]}]`
