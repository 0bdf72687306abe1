import type { Conversation, Event, Turn } from 'turnbuckle'
import { replaceText } from '../editor/editor.ts'
import type { ShownChat } from './shown-chat.ts'

/** The error of a turn that could not begin, as another process works on the conversation. */
export const isLocked = (error: unknown): boolean =>
  (error as { readonly code?: unknown } | undefined)?.code === 'conversation.locked'

/** True for the end of a turn that could not begin, as another process works on the conversation. */
export async function isLostRace(turn: Pick<Turn, 'settled'>, event: Event): Promise<boolean> {
  return event.type === 'turn.failed' && event.by === 'store' && isLocked((await turn.settled).error)
}

/** True where nothing is behind a message but the turn that another process works on, and those that it has ended just now (`news`), so that what was to be said there can come after that. */
export function isStillAhead(
  parent: string | undefined,
  { messages, tree, unfinished }: Pick<Conversation, 'messages' | 'tree' | 'unfinished'>,
  news: readonly string[] = [],
): boolean {
  const behind = tree.filter(({ parentId }) => parentId === parent)
  const isBranch = behind.some(({ turnId = '' }) => !unfinished.includes(turnId) && !news.includes(turnId))
  return !isBranch && (parent === undefined || messages.some(({ id }) => id === parent))
}

/** Puts messages that were not sent into the input, before what is being written there. */
export function giveBackUnsent(chat: Pick<ShownChat, 'say' | 'set'>, texts: readonly string[], why: string): void {
  if (!texts.length) return
  chat.say(`${why}: your message was not sent. It is in the input again.`, 'warn')
  chat.set(state => {
    const written = [...texts, state.editor.text].filter(Boolean).join('\n')
    return { ...state, editor: replaceText(state.editor, written) }
  })
}
