import { interrupted, TurnbuckleError } from '../base/errors.ts'
import { type Message, textOf } from '../base/message.ts'
import { checkDepth } from '../base/nesting-depth.ts'
import type { Model, Prompt, Usage } from '../base/ports.ts'
import { onceKept } from '../durable/when-durable.ts'
import type { Generated } from '../hooks/hook-types.ts'
import type { Frame } from '../hooks/stage-frame.ts'
import type { Stage } from '../stages/stage.ts'
import { optionsFor } from './managed-loop.ts'
import { Attempt } from './model-attempt.ts'
import { consume } from './read-stream.ts'
import { plus, uncounted } from './usage.ts'

interface Request {
  readonly model: Model
  readonly prompt: Prompt
}

/** A hook's own model call. It is a stage, so limits and retries see it; its text and its error go to nobody but the hook. */
export async function generate(frame: Frame, model: Model, prompt: string | Partial<Prompt>): Promise<Generated> {
  const { run } = frame
  if (run.over) throw interrupted()
  checkDepth(depthOf(frame), run.deepest)
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
  const attempts: Attempt[] = []
  const stage = run.pipeline.part('generate')
  const body: Stage['body'] = (opened, input) => {
    const call = () => callOnce(opened, { model, prompt: input as Prompt }, attempts)
    return run.journal ? onceKept(opened, run.journal, call) : call()
  }
  const inner = await run.opened({ ...stage, body }, frame, full)
  if (inner.status === 'failed' || inner.status === 'interrupted') throw inner.error
  const message = inner.result as Message | undefined
  if (!message)
    throw new TurnbuckleError('generate.stopped', 'The model call of a hook did not take place: a limit was reached.')
  const usage = attempts.reduce((sum, each) => plus(sum, each.usage ?? uncounted), free)
  return { text: textOf(message), message, usage }
}

const depthOf = ({ stage, parent }: Frame): number => (parent ? depthOf(parent) : 1) + Number(stage.name === 'generate')

const free: Usage = { inputTokens: 0, outputTokens: 0, cost: 0 }

function callOnce(frame: Frame, { model, prompt }: Request, attempts: Attempt[]): Promise<Message> {
  const { run } = frame
  const attempt = new Attempt(run, `${run.id}.g${run.asks++}`, true)
  const chosen = prompt.model ?? model
  const stream = chosen.stream(prompt, optionsFor(run, frame.cut))
  attempts.push(attempt)
  attempt.bill()
  return consume(frame, stream, attempt)
}
