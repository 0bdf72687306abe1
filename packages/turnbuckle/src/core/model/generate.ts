import { interrupted, TurnbuckleError } from '../base/errors.ts'
import { type Message, textOf } from '../base/message.ts'
import { checkDepth } from '../base/nesting-depth.ts'
import type { Model, Prompt, Usage } from '../base/ports.ts'
import { plus, uncounted } from '../base/usage-sums.ts'
import { untilDurable } from '../durable/until-durable.ts'
import type { Generated } from '../hooks/hook-types.ts'
import type { Stage } from '../types/stage.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import { optionsFor } from './managed-loop.ts'
import { ModelAttempt } from './model-attempt.ts'
import { readStream } from './read-stream.ts'

interface Request {
  readonly model: Model
  readonly prompt: Prompt
}

/** A hook's own model call. It is a stage, so limits and retries see it; its text and its error go to nobody but the hook. */
export async function generate(frame: StageFrame, model: Model, prompt: string | Partial<Prompt>): Promise<Generated> {
  const { turn } = frame
  if (turn.over) throw interrupted()
  checkDepth(depthOf(frame), turn.deepest)
  const messages: Message[] =
    typeof prompt === 'string' ? [{ id: 'prompt', role: 'user', content: [{ type: 'text', text: prompt }] }] : []
  const full: Prompt = {
    messages,
    tools: [],
    instructions: '',
    params: {},
    ...(typeof prompt === 'string' ? {} : prompt),
    model,
  }
  const attempts: ModelAttempt[] = []
  const stage = turn.pipeline.part('generate')
  const body: Stage['body'] = async (opened, input) => {
    if (turn.journal) await untilDurable(opened, turn.journal)
    if (turn.interrupted) throw interrupted()
    return callOnce(opened, { model, prompt: input as Prompt }, attempts)
  }
  frame.generating++
  const inner = await turn.openInside({ ...stage, body }, frame, full)
  frame.generating--
  if (inner.status === 'failed' || inner.status === 'interrupted') throw inner.error
  const message = inner.result as Message | undefined
  if (!message)
    throw new TurnbuckleError('generate.stopped', 'The model call of a hook did not take place: a limit was reached.')
  const usage = attempts.reduce((sum, each) => plus(sum, each.usage ?? uncounted), free)
  return { text: textOf(message), message, usage }
}

const depthOf = ({ stage, parent }: StageFrame): number =>
  (parent ? depthOf(parent) : 1) + Number(stage.calledByHook === true)

const free: Usage = { inputTokens: 0, outputTokens: 0, cost: 0 }

function callOnce(frame: StageFrame, { model, prompt }: Request, attempts: ModelAttempt[]): Promise<Message> {
  const { turn } = frame
  const attempt = new ModelAttempt(turn, `${turn.id}.g${turn.spent.nextOwnCall()}`, true)
  const chosen = prompt.model ?? model
  const stream = chosen.stream(prompt, optionsFor(turn, frame.cancel))
  attempts.push(attempt)
  attempt.bill()
  return readStream(frame, stream, attempt)
}
