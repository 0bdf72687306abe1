import type { Message } from '../core/message.ts'
import type { Prompt } from '../core/ports.ts'

type Rewrite = (messages: readonly Message[]) => readonly Message[]

/**
 * The prompt with some members changed. The messages stay unread, and `rewrite` waits, until the model reads them: a
 * hook that changes a prompt this way costs the same for any length of the history.
 */
export function changedPrompt(prompt: Prompt, changes: Partial<Omit<Prompt, 'messages'>>, rewrite?: Rewrite): Prompt {
  let kept: readonly Message[] | undefined
  const changed: Prompt = {
    get messages() {
      kept ??= rewrite ? rewrite(prompt.messages) : prompt.messages
      return kept
    },
    set messages(value) {
      kept = value
    },
    tools: changes.tools ?? prompt.tools,
    instructions: changes.instructions ?? prompt.instructions,
    params: changes.params ?? prompt.params,
  }
  const model = changes.model ?? prompt.model
  if (model) changed.model = model
  return changed
}

/** The prompt with a paragraph more in its instructions. */
export const instructed = (prompt: Prompt, text: string): Prompt =>
  changedPrompt(prompt, { instructions: prompt.instructions ? `${prompt.instructions}\n\n${text}` : text })
