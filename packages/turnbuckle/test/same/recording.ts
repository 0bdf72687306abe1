import { plain } from './plain.ts'
import type { World } from './world.ts'

/** The kinds of lines. A store delivers events later than hooks are called, so there each kind has an order of its own. */
export type Channel = 'hook' | 'event' | 'delta' | 'prompt' | 'tool' | 'person' | 'result' | 'store'

export interface Line {
  readonly channel: Channel
  /** The call that it belongs to: calls of one batch go side by side. */
  readonly lane: string | undefined
  readonly at: number
  readonly text: string
}

/** Everything that can be seen of a program, in order. */
export class Recording {
  readonly lines: Line[] = []
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  say(channel: Channel, what: string, value?: unknown, lane?: string): void {
    const text = value === undefined ? what : `${what} ${plain(value)}`
    this.lines.push({ channel, lane, at: this.#world.now, text })
  }
}

/**
 * The lines as they are compared. Calls of one batch that go on in the same instant do so in no particular order: their
 * lines are put in the order of the calls. With a store each channel is compared by itself.
 */
export function canonical(lines: readonly Line[], byChannel: boolean): string[] {
  const ordered: Line[] = []
  let together: Line[] = []
  const flush = () => {
    ordered.push(...together.toSorted((a, b) => ((a.lane ?? '') < (b.lane ?? '') ? -1 : a.lane === b.lane ? 0 : 1)))
    together = []
  }
  const parted = byChannel
    ? lines.toSorted((a, b) => (a.channel < b.channel ? -1 : a.channel === b.channel ? 0 : 1))
    : lines
  for (const line of parted) {
    const [first] = together
    if (first && (line.lane === undefined || line.at !== first.at || (byChannel && line.channel !== first.channel)))
      flush()
    if (line.lane === undefined) ordered.push(line)
    else together.push(line)
  }
  flush()
  return subAgentsLast(ordered).map(({ channel, at, text }) => `${at} ${channel} ${text}`)
}

/** Hooks of a sub-agent and those of its caller go on side by side: in one instant the sub-agent's lines come last. */
function subAgentsLast(lines: readonly Line[]): Line[] {
  const ordered: Line[] = []
  const held: Line[] = []
  let at = Number.NaN
  for (const line of lines) {
    if (line.at !== at) ordered.push(...held.splice(0))
    at = line.at
    if (line.channel === 'hook' && /^below\.|"turnId":"turn_\d+_below/.test(line.text)) held.push(line)
    else ordered.push(line)
  }
  return [...ordered, ...held]
}
