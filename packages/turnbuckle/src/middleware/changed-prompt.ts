import type { Message } from '../core/message.ts'
import type { Prompt } from '../core/ports.ts'

type Rewrite = (messages: readonly Message[]) => readonly Message[]

/**
 * The prompt with some members changed. The messages stay unread, and `rewrite` waits, until the model reads them: a
 * hook that changes a prompt this way costs the same for any length of the history.
 */
export function changedPrompt(prompt: Prompt, changes: Partial<Omit<Prompt, 'messages'>>, rewrite?: Rewrite): Prompt {
  const changed: Prompt = new ChangedPrompt(prompt, changes, rewrite)
  const model = changes.model ?? prompt.model
  if (model) changed.model = model
  return changed
}

/** The prompt with a paragraph more in its instructions. */
export const instructed = (prompt: Prompt, text: string): Prompt =>
  changedPrompt(prompt, { instructions: prompt.instructions ? `${prompt.instructions}\n\n${text}` : text })

/** `messages` is an accessor of the object itself, so that a copy by `{ ...prompt }` has the messages too. */
class ChangedPrompt implements Prompt {
  declare messages: readonly Message[]
  tools: Prompt['tools']
  instructions: string
  params: Prompt['params']
  readonly #source: Prompt
  readonly #rewrite: Rewrite | undefined
  #kept: readonly Message[] | undefined

  constructor(source: Prompt, changes: Partial<Prompt>, rewrite: Rewrite | undefined) {
    Object.defineProperty(this, 'messages', ChangedPrompt.#accessor)
    this.tools = changes.tools ?? source.tools
    this.instructions = changes.instructions ?? source.instructions
    this.params = changes.params ?? source.params
    this.#source = source
    this.#rewrite = rewrite
  }

  static readonly #accessor: PropertyDescriptor & ThisType<ChangedPrompt> = {
    enumerable: true,
    configurable: true,
    get() {
      this.#kept ??= this.#rewrite ? this.#rewrite(this.#source.messages) : this.#source.messages
      return this.#kept
    },
    set(messages: readonly Message[]) {
      // A guard sees a frozen prompt; freezing alone does not keep an accessor from being set.
      if (Object.isFrozen(this)) throw new TypeError('This prompt is read-only here.')
      this.#kept = messages
    },
  }
}
