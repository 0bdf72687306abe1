import type { Program } from './program.ts'

/** The virtual time of a line. */
export const instantOf = (line: string | undefined): number =>
  line === undefined ? Infinity : Number.parseInt(line, 10)

/** The data at the end of a line. */
export function dataOf(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line.slice(line.search(/[[{]/)))
  } catch {
    return {}
  }
}

/** A span of a stage, other than a model call of a hook, that an interrupt has ended: turns of hooks have no events here. */
const interruptedStage = / hook (span|\S+\.onTrace) .*"kind":"stage","stage":"(?!generate).*"status":"interrupted"/

/** When turns were interrupted, by their ids. */
export function interruptsIn(lines: readonly string[]): ReadonlyMap<unknown, number> {
  const interrupts = new Map<unknown, number>()
  for (const line of lines) {
    if (!/ event turn\.interrupted /.test(line) && !interruptedStage.test(line)) continue
    const { turnId } = dataOf(line)
    interrupts.set(turnId, Math.min(instantOf(line), interrupts.get(turnId) ?? Infinity))
  }
  return interrupts
}

const limitError = /(throws|caught) (error: (too slow|signalled)|\S+timeout:|turn\.late:)/
const limitedSpan =
  / hook (span|\S+\.onTrace) .*"error":"(too slow|signalled|[^"]*took longer than|The turn's \d+ ms were over)/

const limitedCall = / event tool\.failed .*"status":"timeout"/

/** Instants at which a limit, or the deadline for the clean-up of an interrupted turn, has ended something. */
export function limitsIn(lines: readonly string[], { settings: { cleanupMs } }: Program): ReadonlySet<number> {
  const deadlines = [...interruptsIn(lines).values()].map(instant => instant + cleanupMs)
  const ended = lines.filter(line => [limitError, limitedSpan, limitedCall].some(sign => sign.test(line)))
  return new Set([...deadlines, ...ended.map(instantOf)])
}

const cutCall =
  / hook \S+\.(wrapGenerate throws turn\.interrupted|afterGenerate .*"status":"interrupted")| hook (span|\S+\.onTrace) .*"stage":"generate".*"error":"The turn was interrupted\."/

/** The span of a model call of a hook, or its failure as its hook sees it. */
const endedCall = / hook (not generated |(span|\S+\.onTrace) .*"kind":"stage","stage":"generate")/

/** Instants at which the end of a turn cuts off, or meets, the model calls of its hooks. */
export function cutCallsIn(lines: readonly string[]): ReadonlySet<number> {
  const interrupts = new Set(interruptsIn(lines).values())
  const isCut = (line: string): boolean =>
    cutCall.test(line) || (endedCall.test(line) && interrupts.has(instantOf(line)))
  return new Set(lines.filter(isCut).map(instantOf))
}

const passingChunk =
  /^\d+ hook (\S+\.onChunk |(span|\S+\.onTrace) .*"at":"onChunk".*"error":"The turn was interrupted\.")/

/** Instants at which a turn is interrupted while chunks pass its hooks. */
export function cutChunksIn(lines: readonly string[]): ReadonlySet<number> {
  const instants = new Set(interruptsIn(lines).values())
  const passing = lines.filter(line => passingChunk.test(line)).map(instantOf)
  return new Set(passing.filter(instant => instants.has(instant)))
}

/** Instants at which an interrupt, a deletion or a limit cuts something off. */
export const cutsIn = (lines: readonly string[], program: Program): ReadonlySet<number> =>
  new Set([...interruptsIn(lines).values(), ...limitsIn(lines, program)])

/** The turn and the call that a line is about; its hook or event, where it names neither. */
export function laneOf(line: string): string {
  const [turn = ''] = /turn_\d+_(below)?\d+/.exec(line) ?? []
  const [, , call = ''] = /"(callId|id)":"((?:call|below)_[^"]*)"/.exec(line) ?? []
  return turn || call ? `${turn} ${call}` : (/^\d+ (\w+ \S+)/.exec(line)?.[1] ?? '')
}

/** A hook of a call, or the beginning or end of one that hooks are told. */
const hookOfCall =
  /^\d+ hook (?:\S+Tool .*"call":\{"type":"call","id"|\S+\.on(?:Open|Trace) .*"stage":"tool".*"callId"):"([^"]*)"/

/** Instants at which hooks are called for two calls of a batch. */
export function batchesIn(lines: readonly string[]): ReadonlySet<number> {
  const calls = new Map<number, Set<string>>()
  for (const line of lines) {
    const callId = hookOfCall.exec(line)?.[1]
    if (callId === undefined) continue
    const together = calls.get(instantOf(line)) ?? new Set()
    calls.set(instantOf(line), together.add(callId))
  }
  return new Set([...calls].filter(([, ids]) => ids.size > 1).map(([instant]) => instant))
}

/** Instants at which a turn is interrupted while another one goes on, begins, or is interrupted too. */
export function meetingsIn(lines: readonly string[]): ReadonlySet<number> {
  const instants = new Set(interruptsIn(lines).values())
  return new Set([...instants].filter(instant => turnsIn(lines, instant).size > 1))
}

/** The turns that have hooks called, events or text at an instant. */
export function turnsIn(lines: readonly string[], instant: number): ReadonlySet<string> {
  const ids = lines.flatMap(line => {
    const turnId = /^\d+ (hook|event|delta) .*"turnId":"([^"]+)"/.exec(line)?.[2]
    return turnId === undefined || instantOf(line) !== instant ? [] : [turnId]
  })
  return new Set(ids)
}

/** The deaths of a program's processes: the instant, and the number of events that the store had by then. */
export const deathsIn = (lines: readonly string[]): { readonly at: number; readonly events: number }[] =>
  lines.flatMap(line => {
    const died = / person died\t(\d+)$/.exec(line)
    return died ? [{ at: instantOf(line), events: Number(died[1]) }] : []
  })
