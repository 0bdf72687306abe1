import { interrupted, TurnbuckleError } from '../base/errors.ts'
import { type Message, textOf } from '../base/message.ts'
import { checkDepth } from '../base/nesting-depth.ts'
import type { Model, Prompt, Usage } from '../base/ports.ts'
import { noUsage, plus, uncounted } from '../base/usage-sums.ts'
import { untilDurable } from '../durable/until-durable.ts'
import { callUsageEvent } from '../events/event-makers.ts'
import type { HookEntry } from '../hooks/hook-set.ts'
import type { Generated } from '../hooks/hook-types.ts'
import type { Stage } from '../types/stage.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import type { TurnState } from '../types/turn-state.ts'
import { optionsFor } from './managed-loop.ts'
import { ModelAttempt } from './model-attempt.ts'
import { readStream } from './read-stream.ts'
import { traceExchange } from './trace-exchange.ts'
import { announceCall } from './usage.ts'

interface Request {
  readonly model: Model
  readonly prompt: Prompt
}

/** A hook's own model call. It is a stage, so limits and retries see it; its text and its error go to nobody but the hook. */
export async function generate(
  frame: StageFrame,
  by: HookEntry | undefined,
  model: Model,
  prompt: string | Partial<Prompt>,
): Promise<Generated> {
  const { turn } = frame
  if (turn.over) throw interrupted()
  if (turn.halting) throw stoppedCall(frame, by)
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
    announceCall(turn)
    if (turn.journal) await untilDurable(opened, turn.journal)
    if (turn.interrupted) throw interrupted()
    return callOnce(opened, { model, prompt: input as Prompt }, attempts)
  }
  frame.knownWaits++
  const inner = await turn.openInside({ ...stage, body }, frame, full)
  frame.knownWaits--
  tellUsage(turn, attempts, by)
  if (inner.stoppedHook) frame.stoppedHook = by
  if (inner.status === 'failed' || inner.status === 'interrupted') throw inner.error
  const message = inner.result as Message | undefined
  if (!message || (turn.halting && message.interrupted)) throw stoppedCall(frame, by)
  return { text: textOf(message), message, usage: usageOf(attempts) }
}

/** A single attempt has the usage that its model told; several have the sum. */
function usageOf([first, ...others]: readonly ModelAttempt[]): Usage {
  if (!first) return noUsage
  const usage = ({ meter }: ModelAttempt) => meter.usage ?? uncounted(1)
  return others.reduce((sum, each) => plus(sum, usage(each)), usage(first))
}

/** Tells what each attempt at a hook's own model call has used. */
function tellUsage(turn: TurnState, attempts: readonly ModelAttempt[], by: HookEntry | undefined): void {
  const step = Math.max(0, turn.step.index)
  for (const [number, { id, meter }] of attempts.entries())
    if (meter.usage && !turn.over)
      turn.tell(callUsageEvent({ id, number }, 'generate', meter.usage, step, by?.owner.name))
}

/** The error of a hook whose model call a directive has ended. That directive ends the turn, not the failure of the hook. */
function stoppedCall(frame: StageFrame, by: HookEntry | undefined): TurnbuckleError {
  frame.stoppedHook = by
  return new TurnbuckleError('generate.stopped', 'The model call of a hook did not take place: a limit was reached.')
}

const depthOf = ({ stage, parent }: StageFrame): number =>
  (parent ? depthOf(parent) : 1) + Number(stage.calledByHook === true)

function callOnce(frame: StageFrame, { model, prompt }: Request, attempts: ModelAttempt[]): Promise<Message> {
  const { turn } = frame
  const attempt = new ModelAttempt(turn, `${turn.id}.g${turn.spent.nextOwnCall()}`, true)
  const chosen = prompt.model ?? model
  const traced = traceExchange(frame, chosen, prompt)
  const stream = chosen.stream(prompt, optionsFor(turn, frame.cancel, traced?.onRequest))
  attempts.push(attempt)
  frame.meter = attempt.meter
  attempt.bill()
  const reply = readStream(frame, stream, attempt)
  return traced ? traced.until(reply, attempt) : reply
}
