import { type Difference, firstDifference } from './comparison.ts'
import { type NamedDifference, namedDifferences } from './named-differences.ts'
import type { Program } from './program.ts'

type Differ = (program: Program) => Promise<Difference | undefined>

/**
 * The names of the bugs that a difference comes of; nothing where a part of it is left without a name. Contract: every line
 * of the program, or of the program without the bug, was compared.
 */
export async function explainDifference(found: Difference, differ: Differ, depth = 3): Promise<string[] | undefined> {
  const { left, names } = leveled(found)
  if (!left) return names
  if (!depth) return undefined
  for (const { name, instead } of namedDifferences) {
    if (!instead?.is(left) && !instead?.is(found)) continue
    const still = await differ(instead.program(found.program, found))
    const more = still ? await explainDifference(still, differ, depth - 1) : []
    if (more) return [...new Set([name, ...more])]
  }
  return undefined
}

/** The first line that still differs when the named lines are left out, and the names that made a change. */
function leveled({ program, lines }: Difference): { readonly left: Difference | undefined; readonly names: string[] } {
  const unused = namedDifferences.filter(({ level }) => level)
  const names: string[] = []
  let left = firstDifference(program, lines.before, lines.now)
  for (let next = useful(left, unused); next; next = useful(left, unused)) {
    unused.splice(unused.indexOf(next.named), 1)
    names.push(next.named.name)
    left = next.left
  }
  return { left, names: left ? names : neededOf(names, { program, lines }) }
}

/** The names without which something would differ. */
function neededOf(names: readonly string[], { program, lines }: Pick<Difference, 'program' | 'lines'>): string[] {
  const needed = [...names]
  for (const name of names) {
    const rest = namedDifferences.filter(each => each.name !== name && needed.includes(each.name))
    const level = (all: readonly string[]) => rest.reduce((left, each) => each.level?.(left, program) ?? left, all)
    if (!firstDifference(program, level(lines.before), level(lines.now))) needed.splice(needed.indexOf(name), 1)
  }
  return needed
}

/** A name that the first line that differs goes by, and the next line that differs without it. */
function useful(
  difference: Difference | undefined,
  unused: readonly NamedDifference[],
): { readonly named: NamedDifference; readonly left: Difference | undefined } | undefined {
  if (!difference) return undefined
  const { program, lines, before, now } = difference
  for (const named of unused) {
    const level = (all: readonly string[]) => named.level?.(all, program) ?? all
    const left = firstDifference(program, level(lines.before), level(lines.now))
    if (left?.before !== before || left?.now !== now) return { named, left }
  }
  return undefined
}
