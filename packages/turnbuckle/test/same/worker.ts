import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { anyProgram } from './any-program.ts'
import { Comparison, type Difference } from './comparison.ts'
import { KnownOutcomes } from './known-outcomes.ts'
import type { Library } from './library.ts'
import { namedDifferences } from './named-differences.ts'
import { Places } from './places.ts'
import type { Kind } from './program.ts'
import { shrink } from './shrink.ts'

/** A worker's job: every `step`-th seed from `from` on. */
export interface Job {
  readonly before: string
  readonly now: string
  readonly folder: string
  /** The folder of outcomes that are known. */
  readonly known: string
  readonly from: number
  readonly count: number
  readonly step: number
  readonly only: Kind | undefined
  /** The number of differences that are made smaller and told in full. */
  readonly most: number
}

/** News of a worker: the seed it is at, and the differences it has found. */
export type Report =
  | { readonly type: 'progress'; readonly seed: number; readonly played: number }
  | { readonly type: 'named'; readonly name: string }
  | { readonly type: 'difference'; readonly seed: number; readonly difference: Difference | undefined }
  | { readonly type: 'done'; readonly played: number }

const load = async (dist: string): Promise<Library> => ({
  root: await import(pathToFileURL(join(dist, 'index.js')).href),
  stores: await import(pathToFileURL(join(dist, 'stores.js')).href),
  ready: await import(pathToFileURL(join(dist, 'middleware.js')).href),
})

/** Each hundred seeds are shared out among the kinds like this. */
const shares: readonly (readonly [Kind, number])[] = [
  ['core', 62],
  ['managed', 10],
  ['stored', 12],
  ['crashed', 15],
  ['across', 1],
]
export function kindOf(seed: number): Kind {
  let left = (seed * 37) % 100
  for (const [kind, share] of shares) {
    if (left < share) return kind
    left -= share
  }
  return 'core'
}

async function work(job: Job, report: (report: Report) => void): Promise<void> {
  const comparison = new Comparison(await load(job.before), await load(job.now), new Places(job.folder))
  const known = new KnownOutcomes(job.known)
  let played = 0
  let told = 0
  for (let seed = job.from; seed < job.from + job.count; seed += job.step) {
    if (played % 20 === 0) report({ type: 'progress', seed, played })
    if (played % 500 === 0) known.save()
    const difference = await comparison.differGenerated(anyProgram(seed, job.only ?? kindOf(seed)), known)
    played++
    if (!difference) continue
    const named = namedDifferences.find(({ is }) => is(difference))
    if (named) report({ type: 'named', name: named.name })
    else if (told++ >= job.most) report({ type: 'difference', seed, difference: undefined })
    else
      report({ type: 'difference', seed, difference: await shrink(difference, program => comparison.differ(program)) })
  }
  known.save()
  report({ type: 'done', played })
}

process.on('message', (job: Job) => {
  work(job, report => process.send?.(report)).then(
    () => process.disconnect(),
    error => {
      console.error(error)
      process.exit(1)
    },
  )
})
