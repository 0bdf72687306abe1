import type { Message } from '../core/message.ts'
import type { Prompt } from '../core/ports.ts'
import { changedPrompt } from './changed-prompt.ts'

/**
 * Puts found text in front of one message, in this prompt only. Beside the person's words and not into the
 * instructions, because nobody vouches for what was found.
 */
export const attachContext = (prompt: Prompt, messageId: string | undefined, text: string): Prompt =>
  changedPrompt(prompt, {}, messages => {
    const place = messages.findLastIndex(({ id, role }) =>
      messageId === undefined ? role === 'user' : id === messageId,
    )
    const message = messages[place]
    return message ? messages.with(place, inFront(message, text)) : messages
  })

const inFront = (message: Message, text: string): Message => ({
  ...message,
  content: [{ type: 'text', text: `${text}\n\n` }, ...message.content],
})
