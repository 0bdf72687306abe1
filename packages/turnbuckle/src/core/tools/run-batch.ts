import { TurnbuckleError } from '../base/errors.ts'
import type { Maybe } from '../base/maybe.ts'
import { appended, type Call, type ToolResult } from '../base/message.ts'
import { notRun } from '../history/call-pairing.ts'
import { beginStageSpan } from '../hooks/begin-stage-span.ts'
import { enterStage } from '../hooks/enter-stage.ts'
import { runStage } from '../hooks/open-stage.ts'
import { StageFrame } from '../hooks/stage-frame.ts'

/**
 * Runs a batch: the before hooks of all calls one by one, in call order, so that a person is asked one thing at a time; then
 * the calls side by side. Results and directives come back in call order, whichever call finished first.
 */
export async function runBatch(frame: StageFrame, given: readonly Call[]): Promise<readonly ToolResult[]> {
  const { turn } = frame
  const made = turn.step.draft.calls
  if (given !== made) checkMade(given, made)
  let batch: BatchCall[] = []
  for (const call of given) batch = appended(batch, new BatchCall(frame, call))
  turn.calls.openBatch(batch)
  for (const call of batch) {
    if (turn.interrupted) break
    const entering = call.enter()
    if (entering) await entering
  }
  if (batch.length === 1) await batch[0]?.run()
  else await runSideBySide(batch, turn.agent.parallelTools)
  for (const { frame: each } of batch) if (each.noted.list.length) frame.noted.note(...each.noted.list)
  return made.map(({ id }) => turn.calls.finished(id) ?? notRun)
}

function checkMade(given: readonly Call[], made: readonly Call[]): void {
  if (!Array.isArray(given))
    throw new TurnbuckleError('call.unknown', 'The calls of a batch are a list. Keep the calls that the model made.')
  const has = (calls: readonly Call[], wanted: string): boolean => calls.some(({ id }) => id === wanted)
  const stray = given.find(({ id }, i) => !has(made, id) || has(given.slice(0, i), id))
  if (stray)
    throw new TurnbuckleError(
      'call.unknown',
      `The model did not make the call "${stray.id}", or not twice. Keep the ids; to make calls, return skip(calls) in beforeDetect.`,
    )
}

/**
 * No more at once than the cap, and a sequential call alone. The next call begins as soon as the one before has to wait: a call that
 * has nothing to wait for is over first, so that its directives still keep the others from running.
 */
async function runSideBySide(batch: readonly BatchCall[], cap: number): Promise<void> {
  const entered = batch.filter(call => call.entered)
  const running = new Set<Promise<unknown>>()
  for (const call of entered) {
    while (running.size && (call.isSequential || running.size >= cap)) await Promise.race(running)
    call.watchWaits()
    const going = call.run().finally(() => running.delete(going))
    running.add(going)
    if (call.isSequential || call === entered.at(-1)) await going
    else if (!call.isWaiting) await Promise.race([going, call.untilItWaits()])
  }
  await Promise.all(running)
}

/** A call of a batch: a `tool` stage whose before hooks run apart from the rest. */
export class BatchCall {
  readonly frame: StageFrame
  readonly call: Call
  /** False where an interrupt or a directive came before the call could be entered: it is then not run. */
  entered = false
  /** The state in which the log left the call: `ended` with its result, or only `closed` with its hooks. */
  #inLog: 'ended' | 'closed' | undefined
  #started = false
  #waiting = false
  #onWait: (() => void) | undefined
  readonly #endSpan: (() => void) | undefined

  constructor(batch: StageFrame, call: Call) {
    const { turn } = batch
    this.call = call
    this.frame = new StageFrame(turn, turn.pipeline.part('tool'), batch, call)
    this.frame.ownDirectives(call)
    this.#endSpan = turn.traced ? beginStageSpan(this.frame) : undefined
  }

  get isSequential(): boolean {
    const { turn } = this.frame
    return turn.agent.toolsOf(turn).find(this.call.name)?.sequential === true
  }
  /** The call began before a process died: a directive that ended the step since then does not undo it. */
  get #beganBefore(): boolean {
    return this.frame.turn.replay.began(this.call.id) > 0
  }
  /** The call, or a wrap around it, has begun, here or before a process died. */
  get hasBegun(): boolean {
    return this.#started || this.#beganBefore
  }

  /** Runs its before hooks, unless the provider ran the call itself, or the log says how it ended. */
  enter(): Maybe<void> {
    const { frame, call } = this
    const { turn } = frame
    if (turn.halting && !this.#beganBefore) return
    this.entered = true
    if (turn.calls.observed) return frame.succeed(turn.calls.observed.get(turn.calls.givenId(call.id)) ?? notRun)
    // Before `#takeEnded`: a call that was left has the directives of its hooks in the log besides its result.
    if (turn.replay.restoreLeft(frame)) this.#inLog = 'closed'
    else if (this.#takeEnded()) this.#inLog = 'ended'
    else return enterStage(frame)
  }
  #takeEnded(): boolean {
    const { turn } = this.frame
    const ended = turn.replay.ended(this.call.id)
    if (ended) turn.finish(this.call, ended, 0)
    return ended !== undefined
  }

  /** Notices when the call has to wait for a hook, the tool or the log. */
  watchWaits(): void {
    this.frame.onWait = () => {
      this.#waiting = true
      this.#onWait?.()
    }
  }
  get isWaiting(): boolean {
    return this.#waiting
  }
  untilItWaits(): Promise<void> {
    return new Promise(resolve => {
      this.#onWait = resolve
    })
  }

  /** Runs the call, or, when something ended the step meanwhile, only its after hooks. */
  run(): Promise<unknown> {
    const { frame } = this
    const { turn } = frame
    if (!this.entered || this.#inLog) return Promise.resolve(this.#inLog === 'closed' && this.#finish(turn.time.at))
    if (frame.status === 'open' && (turn.interrupted || (turn.halting && !this.#beganBefore))) {
      frame.status = turn.interrupted ? 'interrupted' : 'skipped'
      frame.result = notRun
    }
    this.#started = true
    const started = turn.elapse()
    return runStage(frame, undefined, () => this.#finish(started))
  }
  #finish(started: number): void {
    const { turn } = this.frame
    const result = this.frame.result as ToolResult
    this.#endSpan?.()
    if (!turn.interrupted) turn.finish(this.call, turn.hooks.cleanResult(result), turn.time.tick() - started)
  }
}
