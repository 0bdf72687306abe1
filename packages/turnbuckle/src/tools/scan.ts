import { createContext, Script } from 'node:vm'
import { TurnbuckleError } from '../core/base/errors.ts'
import { askedGlob } from './glob-pattern.ts'
import { readText } from './read-text.ts'
import type { Match, Search } from './search.ts'
import type { Found } from './walk.ts'
import type { Workspace } from './workspace.ts'

/** The search without ripgrep. */
export async function* scan(
  space: Workspace,
  files: AsyncIterable<Found> | Iterable<Found>,
  { pattern, glob, literal, ignoreCase }: Search,
  signal: AbortSignal,
): AsyncGenerator<Match> {
  const source = literal ? pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : pattern
  const matching = matcher(source, ignoreCase ? 'iu' : 'u')
  const wanted = glob === undefined ? undefined : askedGlob(glob)
  for await (const { path, folder } of files) {
    signal.throwIfAborted()
    if (folder || (wanted && !wanted.test(space.name(path)))) continue
    const content = await readText(space, path, 5_000_000).catch(() => undefined)
    if (content === undefined) continue
    const lines = content.split(/\r?\n/)
    for (const line of matching(lines)) yield { path, line: line + 1, text: lines[line] ?? '' }
  }
}

/** Milliseconds for one file. */
const limitMs = 250
/** How often a file is tried on a machine so busy that the time ran out while this process waited for a processor. */
const mostTries = 4

/** A regular expression of the model's could run for ever: it runs with a time limit for each file. */
function matcher(source: string, flags: string): (lines: readonly string[]) => number[] {
  let regex: RegExp
  try {
    regex = new RegExp(source, flags)
  } catch (error) {
    throw new TurnbuckleError('search.pattern', `${(error as Error).message}. For plain text pass literal: true.`)
  }
  const script = new Script('found = []; lines.forEach((line, i) => { if (regex.test(line)) found.push(i) })')
  const sandbox = createContext({ regex, lines: [] as readonly string[], found: [] as number[] })
  return lines => {
    sandbox.lines = lines
    for (let tried = 1; ; tried++) {
      const before = process.cpuUsage()
      try {
        script.runInContext(sandbox, { timeout: limitMs })
        return sandbox.found as number[]
      } catch (error) {
        if (tried < mostTries && workedMs(before) < limitMs / 2) continue
        const text = 'This regular expression takes too long. Use a simpler one.'
        throw new TurnbuckleError('search.slow', text, { cause: error })
      }
    }
  }
}

/** Milliseconds that this process has computed since then. */
function workedMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
