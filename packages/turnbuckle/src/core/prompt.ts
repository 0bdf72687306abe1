import type { Message } from './message.ts'
import type { Model, Prompt, ToolSpec } from './ports.ts'
import type { Run } from './run.ts'
import { pathOf } from './tree.ts'

const noParams: Prompt['params'] = Object.freeze({})

/** What the coming model call will send. The messages are read only when somebody looks: a long history costs nothing here. */
export function buildPrompt(run: Run): Prompt {
  const { tip, core } = run
  if (!run.instructions.length) return lazyPrompt(() => pathOf(tip), core.specs, core.instructions, noParams, undefined)
  let { instructions } = core
  let params = noParams
  for (const { what } of run.instructions) {
    if (typeof what === 'string') instructions = instructions ? `${instructions}\n\n${what}` : what
    else params = { ...params, ...what }
  }
  run.instructions = run.instructions.filter(queued => queued.for === 'turn')
  return lazyPrompt(() => pathOf(tip), core.specs, instructions, params, undefined)
}

/** A prompt of its own for each attempt: what one attempt changes, the next does not see. */
export const freshPrompt = (prompt: Prompt): Prompt =>
  lazyPrompt(() => prompt.messages, prompt.tools, prompt.instructions, prompt.params, prompt.model)

/** An own accessor, so that `{ ...prompt, instructions }` has the messages too. */
function lazyPrompt(
  read: () => readonly Message[],
  tools: readonly ToolSpec[],
  instructions: string,
  params: Prompt['params'],
  model: Model | undefined,
): Prompt {
  let kept: readonly Message[] | undefined
  const prompt: Prompt = {
    get messages() {
      kept ??= read()
      return kept
    },
    set messages(value) {
      kept = value
    },
    tools,
    instructions,
    params,
  }
  if (model) prompt.model = model
  return prompt
}
