import type { Message } from '../core/base/message.ts'
import type { Prompt } from '../core/base/ports.ts'
import type { BeforeContext } from '../core/hooks/hook-types.ts'
import { changedPrompt } from '../core/model/build-prompt.ts'

/** The text that was found for this turn; undefined until the search has run. */
export interface Attached {
  readonly text: string | undefined
}
type Asked = BeforeContext<'model', Attached>

/**
 * A `beforeModel` that looks once a turn, and puts what it found in front of the person's message, in the prompts only.
 * Beside the person's words and not into the instructions, because nobody vouches for what was found.
 */
export const attachFound =
  (find: (ctx: Asked) => Promise<string>) =>
  async (ctx: Asked): Promise<void> => {
    const text = ctx.state.text ?? (await find(ctx))
    if (ctx.state.text === undefined) ctx.update(() => ({ text }))
    if (text) ctx.prompt = withText(ctx.prompt, ctx.draft.userMessage?.id, text)
  }

const withText = (prompt: Prompt, messageId: string | undefined, text: string): Prompt =>
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
