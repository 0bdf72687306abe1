import type { Message } from './message.ts'
import type { Prompt, ToolSpec } from './ports.ts'
import type { Run } from './run.ts'
import { pathOf, type TreeNode } from './tree.ts'

const noParams: Prompt['params'] = Object.freeze({})

/** What the coming model call will send. The messages are read only when somebody looks: a long history costs nothing here. */
export function buildPrompt(run: Run): Prompt {
  const { tip, core } = run
  if (!run.instructions.length) return new LazyPrompt(tip, core.specs, core.instructions, noParams)
  let { instructions } = core
  let params = noParams
  for (const { what } of run.instructions) {
    if (typeof what === 'string') instructions = instructions ? `${instructions}\n\n${what}` : what
    else params = { ...params, ...what }
  }
  run.instructions = run.instructions.filter(queued => queued.for === 'turn')
  return new LazyPrompt(tip, core.specs, instructions, params)
}

/** A prompt of its own for each attempt: what one attempt changes, the next does not see. */
export function freshPrompt(prompt: Prompt): Prompt {
  const fresh: Prompt = new LazyPrompt(prompt, prompt.tools, prompt.instructions, prompt.params)
  if (prompt.model) fresh.model = prompt.model
  return fresh
}

/**
 * `messages` is an accessor of the object itself, so that `{ ...prompt, instructions }` has the messages too. The same
 * two functions serve all prompts: with functions of its own each would need a hidden class of its own.
 */
class LazyPrompt implements Prompt {
  declare messages: readonly Message[]
  tools: readonly ToolSpec[]
  instructions: string
  params: Prompt['params']
  readonly #source: TreeNode | Prompt | undefined
  #kept: readonly Message[] | undefined

  constructor(
    source: TreeNode | Prompt | undefined,
    tools: readonly ToolSpec[],
    instructions: string,
    params: Prompt['params'],
  ) {
    this.#source = source
    Object.defineProperty(this, 'messages', LazyPrompt.#accessor)
    this.tools = tools
    this.instructions = instructions
    this.params = params
  }

  static readonly #accessor: PropertyDescriptor & ThisType<LazyPrompt> = {
    enumerable: true,
    configurable: true,
    get() {
      const source = this.#source
      this.#kept ??= source && 'messages' in source ? source.messages : pathOf(source)
      return this.#kept
    },
    set(messages: readonly Message[]) {
      // A guard sees a frozen prompt; freezing alone does not keep an accessor from being set.
      if (Object.isFrozen(this)) throw new TypeError('This prompt is read-only here.')
      this.#kept = messages
    },
  }
}
