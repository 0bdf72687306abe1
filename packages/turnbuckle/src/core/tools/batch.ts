import { TurnbuckleError } from '../base/errors.ts'
import { appended, type Call, type ToolResult } from '../base/message.ts'
import { isPromise } from '../base/ports.ts'
import { noteLeft, wasLeft } from '../durable/checkpoints.ts'
import { afterwards, type Wait } from '../hooks/each.ts'
import { enterDurably, proceed } from '../hooks/open-stage.ts'
import { traceStage } from '../hooks/record-spans.ts'
import { Frame } from '../hooks/stage-frame.ts'
import type { Run } from '../turn/turn-state.ts'

/**
 * A batch: the before hooks of all calls one by one, in call order, so that a person is asked one thing at a time; then
 * the calls side by side. Results and directives come back in call order, whichever call finished first.
 */
export function runBatch(batch: Frame, calls: readonly Call[]): readonly ToolResult[] | Promise<readonly ToolResult[]> {
  const { run } = batch
  const made = run.draft.calls
  if (calls !== made) checkMade(calls, made)
  let items: Item[] = []
  for (const call of calls) items = appended(items, new Item(batch, call))
  run.batch = items
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

function collect({ run, sink }: Frame, items: readonly Item[], made: readonly Call[]): readonly ToolResult[] {
  for (const { frame } of items) if (frame.sink.length) sink.push(...frame.sink)
  let results: ToolResult[] = []
  for (const { id } of made) results = appended(results, run.finished.get(id) ?? notRun)
  return results
}
async function collectLater(
  running: Promise<void>,
  batch: Frame,
  items: readonly Item[],
  made: readonly Call[],
): Promise<readonly ToolResult[]> {
  await running
  return collect(batch, items, made)
}

const notRun: ToolResult = { status: 'blocked', value: 'The call was not run.' }

/** One call of a batch. */
export class Item {
  readonly frame: Frame
  readonly call: Call
  entered = false
  /** It had ended, or only its end was not told, when a process died. */
  known = false
  left = false
  /** It, or what is wrapped around it, has begun. */
  started = false
  readonly #traced: (() => void) | undefined

  constructor(batch: Frame, call: Call) {
    const { run } = batch
    this.call = call
    this.frame = new Frame(run, run.pipeline.part('tool'), batch, call)
    this.frame.call = call
    this.frame.sink = []
    this.frame.notedFrom = 0
    this.#traced = run.tracing ? traceStage(this.frame) : undefined
  }

  get sequential(): boolean {
    return this.frame.run.core.tool(this.call.name)?.sequential === true
  }

  /** It began before a process died: what ended the step since then does not undo it. */
  get begun(): boolean {
    return Boolean(this.frame.run.past?.began(this.call.id))
  }

  /** Its before hooks, unless the log says how it ended. */
  enter(): Wait {
    const { frame, call } = this
    const { run } = frame
    // First: what its hooks have said counts as well as its result.
    if (run.journal && !frame.chain.empty && wasLeft(frame)) {
      this.left = true
      return
    }
    const ended = run.past?.ended(call.id)
    if (!ended) return enterDurably(frame)
    this.known = true
    run.finish(call, ended, 0)
  }

  /** Runs it, or, when something ended the step meanwhile, lets only its after hooks run. */
  run(): Wait {
    const { frame } = this
    const { run } = frame
    if (this.known) return
    if (this.left) return this.#done(run.at)
    if (frame.status === 'open' && (run.interrupted || (run.halted && !this.begun))) {
      frame.status = run.interrupted ? 'interrupted' : 'skipped'
      frame.result = notRun
    }
    this.started = true
    const started = run.elapse()
    const going = proceed(frame)
    return isPromise(going) ? this.#doneLater(going, started) : this.#done(started)
  }

  async #doneLater(going: Promise<void>, started: number): Promise<void> {
    await going
    this.#done(started)
  }
  #done(started: number): void {
    const { run, result, chain } = this.frame
    this.#traced?.()
    if (run.journal && !chain.empty && !this.left) noteLeft(this.frame)
    if (!run.interrupted) run.finish(this.call, result as ToolResult, run.tick() - started)
  }
}

function enterAll(items: readonly Item[], from: number): Wait {
  for (let i = from; i < items.length; i++) {
    const item = items[i] as Item
    const { run } = item.frame
    if (run.interrupted) return
    if (run.halted && !item.begun) continue
    item.entered = true
    const entering = run.observed ? observe(run, item) : item.enter()
    if (isPromise(entering)) return enterRest(entering, items, i + 1)
  }
}
const enterRest = (entering: Promise<void>, items: readonly Item[], from: number): Promise<void> =>
  entering.then(() => enterAll(items, from))

/** The provider ran it already: only the after hooks are left. */
function observe(run: Run, { frame, call }: Item): void {
  frame.status = 'done'
  frame.result = run.observed?.get(run.renamed.get(call.id) ?? call.id) ?? notRun
}

function runAll(items: readonly Item[]): Wait {
  if (items.length < 2) return items[0]?.entered ? items[0].run() : undefined
  const { run } = (items[0] as Item).frame
  const running = new Set<Promise<void>>()
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as Item
    if (!item.entered) continue
    if (item.sequential || running.size >= run.core.parallelTools)
      return runRest(items, i, running, run.core.parallelTools)
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
async function runRest(items: readonly Item[], from: number, running: Set<Promise<void>>, cap: number): Promise<void> {
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
