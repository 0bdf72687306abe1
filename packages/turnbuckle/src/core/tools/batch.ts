import { TurnbuckleError } from '../base/errors.ts'
import { appended, type Call, type ToolResult } from '../base/message.ts'
import { isPromise } from '../base/ports.ts'
import { noteLeft, wasLeft } from '../durable/checkpoints.ts'
import { afterwards, type Wait } from '../hooks/each.ts'
import { enterDurably, proceed } from '../hooks/open-stage.ts'
import { traceStage } from '../hooks/record-spans.ts'
import { StageFrame } from '../hooks/stage-frame.ts'
import type { TurnState } from '../turn/turn-state.ts'

/**
 * A batch: the before hooks of all calls one by one, in call order, so that a person is asked one thing at a time; then
 * the calls side by side. Results and directives come back in call order, whichever call finished first.
 */
export function runBatch(
  batch: StageFrame,
  calls: readonly Call[],
): readonly ToolResult[] | Promise<readonly ToolResult[]> {
  const { turn } = batch
  const made = turn.draft.calls
  if (calls !== made) checkMade(calls, made)
  let items: BatchCall[] = []
  for (const call of calls) items = appended(items, new BatchCall(batch, call))
  turn.batch = items
  const running = afterwards(enterAll(items, 0), runAll, items)
  return isPromise(running) ? collectLater(running, batch, items, made) : collect(batch, items, made)
}

function checkMade(calls: readonly Call[], made: readonly Call[]): void {
  const stray = calls.find(({ id }, i) => !has(made, id) || has(calls.slice(0, i), id))
  if (stray)
    throw new TurnbuckleError(
      'call.unknown',
      `The model did not make the call "${stray.id}", or not twice. Keep the ids; to make calls, return skip(calls) in beforeDetect.`,
    )
}
const has = (calls: readonly Call[], wanted: string): boolean => calls.some(({ id }) => id === wanted)

function collect(
  { turn, sink }: StageFrame,
  items: readonly BatchCall[],
  made: readonly Call[],
): readonly ToolResult[] {
  for (const { frame } of items) if (frame.sink.length) sink.push(...frame.sink)
  let results: ToolResult[] = []
  for (const { id } of made) results = appended(results, turn.finished.get(id) ?? notRun)
  return results
}
async function collectLater(
  running: Promise<void>,
  batch: StageFrame,
  items: readonly BatchCall[],
  made: readonly Call[],
): Promise<readonly ToolResult[]> {
  await running
  return collect(batch, items, made)
}

const notRun: ToolResult = { status: 'blocked', value: 'The call was not run.' }

/** One call of a batch. */
export class BatchCall {
  readonly frame: StageFrame
  readonly call: Call
  entered = false
  /** It had ended, or only its end was not told, when a process died. */
  known = false
  left = false
  /** It, or what is wrapped around it, has begun. */
  started = false
  readonly #traced: (() => void) | undefined

  constructor(batch: StageFrame, call: Call) {
    const { turn } = batch
    this.call = call
    this.frame = new StageFrame(turn, turn.pipeline.part('tool'), batch, call)
    this.frame.call = call
    this.frame.sink = []
    this.frame.notedFrom = 0
    this.#traced = turn.tracing ? traceStage(this.frame) : undefined
  }

  get sequential(): boolean {
    return this.frame.turn.agent.tool(this.call.name)?.sequential === true
  }

  /** It began before a process died: what ended the step since then does not undo it. */
  get begun(): boolean {
    return Boolean(this.frame.turn.past?.began(this.call.id))
  }

  /** Its before hooks, unless the log says how it ended. */
  enter(): Wait {
    const { frame, call } = this
    const { turn } = frame
    // First: what its hooks have said counts as well as its result.
    if (turn.journal && !frame.chain.empty && wasLeft(frame)) {
      this.left = true
      return
    }
    const ended = turn.past?.ended(call.id)
    if (!ended) return enterDurably(frame)
    this.known = true
    turn.finish(call, ended, 0)
  }

  /** Runs it, or, when something ended the step meanwhile, lets only its after hooks run. */
  run(): Wait {
    const { frame } = this
    const { turn } = frame
    if (this.known) return
    if (this.left) return this.#done(turn.at)
    if (frame.status === 'open' && (turn.interrupted || (turn.halted && !this.begun))) {
      frame.status = turn.interrupted ? 'interrupted' : 'skipped'
      frame.result = notRun
    }
    this.started = true
    const started = turn.elapse()
    const going = proceed(frame)
    return isPromise(going) ? this.#doneLater(going, started) : this.#done(started)
  }

  async #doneLater(going: Promise<void>, started: number): Promise<void> {
    await going
    this.#done(started)
  }
  #done(started: number): void {
    const { turn, result, chain } = this.frame
    this.#traced?.()
    if (turn.journal && !chain.empty && !this.left) noteLeft(this.frame)
    if (!turn.interrupted) turn.finish(this.call, result as ToolResult, turn.tick() - started)
  }
}

function enterAll(items: readonly BatchCall[], from: number): Wait {
  for (let i = from; i < items.length; i++) {
    const item = items[i] as BatchCall
    const { turn } = item.frame
    if (turn.interrupted) return
    if (turn.halted && !item.begun) continue
    item.entered = true
    const entering = turn.observed ? observe(turn, item) : item.enter()
    if (isPromise(entering)) return enterRest(entering, items, i + 1)
  }
}
const enterRest = (entering: Promise<void>, items: readonly BatchCall[], from: number): Promise<void> =>
  entering.then(() => enterAll(items, from))

/** The provider ran it already: only the after hooks are left. */
function observe(turn: TurnState, { frame, call }: BatchCall): void {
  frame.status = 'done'
  frame.result = turn.observed?.get(turn.renamed.get(call.id) ?? call.id) ?? notRun
}

function runAll(items: readonly BatchCall[]): Wait {
  if (items.length < 2) return items[0]?.entered ? items[0].run() : undefined
  const { turn } = (items[0] as BatchCall).frame
  const running = new Set<Promise<void>>()
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as BatchCall
    if (!item.entered) continue
    if (item.sequential || running.size >= turn.agent.parallelTools)
      return runRest(items, i, running, turn.agent.parallelTools)
    const going = item.run()
    if (isPromise(going)) track(running, going)
  }
  if (running.size) return Promise.all(running).then(() => {})
}

function track(running: Set<Promise<void>>, going: Promise<void>): void {
  running.add(going)
  const done = () => running.delete(going)
  going.then(done, done)
}

/** Where some must wait: no more at once than the cap, and a sequential call alone. */
async function runRest(
  items: readonly BatchCall[],
  from: number,
  running: Set<Promise<void>>,
  cap: number,
): Promise<void> {
  for (const item of items.slice(from)) {
    if (!item.entered) continue
    while (running.size && (item.sequential || running.size >= cap)) await Promise.race(running)
    const going = item.run()
    if (!isPromise(going)) continue
    if (item.sequential) await going
    else track(running, going)
  }
  await Promise.all(running)
}
