import type { Difference } from './comparison.ts'
import type { Program } from './program.ts'

type Data = Readonly<Record<string, unknown>> | readonly unknown[]

/** Values of a program's members that do nothing. */
const neutral: Readonly<Record<string, unknown>> = {
  guard: false,
  priority: 100,
  watches: false,
  onFailure: undefined,
  timeout: undefined,
  tools: undefined,
  scope: undefined,
  wait: 'none',
  delay: 0,
  gap: 0,
  fails: undefined,
  extra: undefined,
  reasoning: undefined,
  usage: 'none',
  finish: 'stop',
  inArrays: false,
  hangs: false,
  calling: false,
  id: undefined,
  args: {},
  use: undefined,
  file: undefined,
  tag: false,
  place: 'head',
  breaker: false,
  instructions: '',
  cleanupMs: 5000,
  maxDepth: 8,
  maxSteps: 12,
}

/** Leaves out of a program whatever it can without losing the difference. At most `tries` programs are played. */
export async function shrink(
  found: Difference,
  differ: (program: Program) => Promise<Difference | undefined>,
  tries = 600,
): Promise<Difference> {
  let best = found
  let left = tries
  for (let better = true; better; ) {
    better = false
    for (const smaller of smallerThan(best.program)) {
      if (left-- <= 0) return best
      const still = await differ(smaller as unknown as Program)
      if (!still) continue
      best = still
      better = true
      break
    }
  }
  return best
}

/** Every value with one element less, or one member neutral; the largest parts first. */
function* smallerThan(value: unknown): Generator<Data> {
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) yield value.toSpliced(i, 1)
    for (let i = 0; i < value.length; i++) for (const smaller of smallerThan(value[i])) yield value.with(i, smaller)
  } else if (typeof value === 'object' && value !== null)
    for (const [key, member] of Object.entries(value)) yield* withSmaller(value, key, member)
}

function* withSmaller(value: object, key: string, member: unknown): Generator<Data> {
  if (key in neutral && JSON.stringify(member) !== JSON.stringify(neutral[key]) && member !== undefined)
    yield { ...value, [key]: neutral[key] }
  if (key !== 'args' && key !== 'errors') for (const smaller of smallerThan(member)) yield { ...value, [key]: smaller }
}
