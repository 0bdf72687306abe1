import { TurnbuckleError } from '../core/base/errors.ts'
import { checkHistory } from './check-history.ts'
import { paths, stages, type Walked } from './conformance-paths.ts'
import type { CreateAgent } from './conformance-program.ts'
import { hooksOf, type RecordedCall } from './recorder.ts'

export type { CreateAgent } from './conformance-program.ts'

/** A fact to prove. `run` rejects when it does not hold. */
export interface ConformanceCase {
  /** The fact in a sentence. */
  readonly title: string
  /** Proves the fact, or rejects. */
  run(): Promise<void>
}

/** The `test` of vitest, jest, node:test, … */
export type RegisterTest = (title: string, run: () => Promise<void>) => unknown

/**
 * Proves that the hooks of every stage fire exactly once per occurrence on every path: plain, streaming, skipped,
 * failed, interrupted, forked, rewound, managed, sub-agent. Knows no test framework.
 *
 * ```ts
 * hookConformance(createAgent, test)
 * ```
 */
export function hookConformance(createAgent: CreateAgent, test?: RegisterTest): readonly ConformanceCase[] {
  const cases = paths.flatMap(path =>
    (path.stages ?? stages).map(stage => ({
      title: `${path.name}: ${hooksOf(stage).join(', ')} fire once per occurrence`,
      run: async () => prove(await path.walk(createAgent, stage), stage),
    })),
  )
  if (test) for (const { title, run } of cases) test(title, run)
  return cases
}

interface Occurrence {
  before: number
  wrap: number
  status?: string | undefined
}

function prove(walked: Walked, stage: string): void {
  const { outer, inner } = walked.program
  proveOccurrences(walked, stage)
  for (const other of stages)
    for (const { status } of occurrences(outer.calls, other)) if (!status) fault(`${other} has no after hook call`)
  const after = hooksOf(stage)[2]
  const count = (calls: readonly RecordedCall[]) => calls.filter(({ hook }) => hook === after).length
  equal(count(inner.calls), count(outer.calls), `${after} of whoever stands behind`)
  const [problem] = checkHistory(walked.messages)
  if (problem) fault(`The history is not valid: ${problem}`)
}

function proveOccurrences({ program, counts, ends, afterOnly = [] }: Walked, stage: string): void {
  const seen = occurrences(program.outer.calls, stage)
  if (counts) equal(seen.length, counts[stage], `occurrences of ${stage}`)
  // The other call of the batch is interrupted with the first.
  const ended = stage === 'tool' && ends?.status === 'interrupted' ? 2 : 1
  if (ends) equal(seen.filter(({ status }) => status === ends.status).length, ended, `${ends.status} ${stage}`)
  const told = !afterOnly.includes(stage)
  for (const { before, wrap, status } of seen) {
    equal(before, told ? 1 : 0, `before hooks of a ${stage} that is ${status}`)
    // An interrupted stage may not have begun.
    if (status === 'interrupted' && !wrap) continue
    equal(wrap, told && status !== 'skipped' ? 1 : 0, `wraps of a ${stage} that is ${status}`)
  }
}

/** Puts the calls of one stage's hooks together; calls of a batch run side by side and are told apart by their id. */
function occurrences(calls: readonly RecordedCall[], stage: string): Occurrence[] {
  const [before, wrap, after] = hooksOf(stage)
  const all: Occurrence[] = []
  const open = new Map<string | undefined, Occurrence>()
  const current = (callId: string | undefined): Occurrence => {
    let occurrence = open.get(callId)
    if (!occurrence) {
      occurrence = { before: 0, wrap: 0 }
      all.push(occurrence)
      open.set(callId, occurrence)
    }
    return occurrence
  }
  for (const { hook, callId, status } of calls) {
    if (hook === before) current(callId).before++
    else if (hook === wrap) current(callId).wrap++
    else if (hook === after) {
      current(callId).status = status
      open.delete(callId)
    }
  }
  return all
}

function equal(actual: number, expected: number | undefined, what: string): void {
  if (actual !== expected) fault(`${what}: expected ${expected}, got ${actual}`)
}

function fault(message: string): never {
  throw new TurnbuckleError('conformance.failed', message)
}
