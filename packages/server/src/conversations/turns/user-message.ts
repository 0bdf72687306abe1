import type { NewMessage } from 'turnbuckle'
import type { InlineFile, NewTurn, SaidTurn } from 'turnbuckle/client'

/** A message to begin a turn with whose uploaded files the conversation has. */
interface AttachedTurn extends Omit<SaidTurn, 'attachments'> {
  readonly attachments?: readonly InlineFile[]
}

/** A new turn whose uploaded files the conversation has. */
export type TurnInput = AttachedTurn | Exclude<NewTurn, SaidTurn>

/** The message that a new turn begins with. An empty text beside attachments is left out. */
export const userMessage = ({ text, attachments = [] }: AttachedTurn): NewMessage => ({
  role: 'user',
  content: [
    ...(text || !attachments.length ? [{ type: 'text' as const, text }] : []),
    ...attachments.map(file => ({ type: 'file' as const, ...file })),
  ],
})
