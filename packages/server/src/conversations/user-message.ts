import type { NewMessage } from 'turnbuckle'
import type { SaidTurn } from 'turnbuckle/client'

/** The message that a new turn begins with. An empty text beside attachments is left out. */
export const userMessage = ({ text, attachments = [] }: SaidTurn): NewMessage => ({
  role: 'user',
  content: [
    ...(text || !attachments.length ? [{ type: 'text' as const, text }] : []),
    ...attachments.map(file => ({ type: 'file' as const, ...file })),
  ],
})
