import type { Death, StoreKind } from './play.ts'

/** A run in which processes die, one after another. */
export interface Attempt {
  readonly scenario: string
  readonly kind: StoreKind
  readonly deaths: readonly Death[]
}

/** `sqlite/plain/commit.3.before+time.20.before`, which `--repeat` takes. */
export const nameOf = ({ scenario, kind, deaths }: Attempt): string =>
  `${kind}/${scenario}/${deaths.map(({ at, k, phase }) => `${at}.${k}.${phase}`).join('+')}`

export function attemptOf(name: string): Attempt {
  const [kind, scenario = '', deaths = ''] = name.split('/')
  if (kind !== 'sqlite' && kind !== 'postgres') throw new Error(`No such run: "${name}".`)
  const parsed = deaths.split('+').map(death => {
    const [at, k, phase] = death.split('.')
    return { at, k: Number(k), phase } as Death
  })
  return { kind, scenario, deaths: parsed }
}

/** The same for the same seed: one to three deaths each, after some time or at some commit. */
export function randomAttempts(
  seed: number,
  count: number,
  names: readonly string[],
  kinds: readonly StoreKind[],
): Attempt[] {
  const stream = numbers(seed)
  const below = (limit: number) => Math.floor(stream.next().value * limit)
  const death = (): Death =>
    below(2) ? { at: 'time', k: below(60), phase: 'before' } : { at: 'commit', k: 1 + below(12), phase: 'after' }
  return Array.from({ length: count }, () => ({
    scenario: names[below(names.length)] as string,
    kind: kinds[below(kinds.length)] as StoreKind,
    deaths: Array.from({ length: 1 + below(3) }, death),
  }))
}

/** mulberry32 */
function* numbers(seed: number): Generator<number, never> {
  let state = seed
  for (;;) {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    yield ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
