import type { Agent, Conversation, Middleware } from 'turnbuckle'
import type { Library } from './library.ts'
import type { Program } from './program.ts'
import type { Channel, Recording } from './recording.ts'
import type { World } from './world.ts'

/** A process of a program. After its death none of its hooks, tools or listeners does or tells anything. */
export class Life {
  readonly library: Library
  readonly program: Program
  readonly world: World
  readonly number: number
  readonly #recording: Recording
  readonly #counts = new Map<string, number>()
  readonly #snapshots: unknown[] = []
  dead = false
  /** Dies as soon as everything else has come to rest: its tools hang. */
  dying = false
  /** Only what the store has is told any more. */
  quiet = false
  agent!: Agent
  chat!: Conversation
  /** Called at the points where a crash may be planned. */
  onPoint: (point: 'tool' | 'model' | 'hook') => void = () => {}
  /** Makes a middleware that may be added while a turn runs. */
  spare: () => Middleware = () => {
    throw new Error('There is no spare middleware.')
  }
  unuse: (() => void) | undefined

  constructor(library: Library, program: Program, world: World, recording: Recording, number: number) {
    this.library = library
    this.program = program
    this.world = world
    this.number = number
    this.#recording = recording
  }

  say(channel: Channel, what: string, value?: unknown, lane?: string): void {
    if (!this.dead && (!this.quiet || channel === 'store')) this.#recording.say(channel, what, value, lane)
  }
  /** Counts occurrences of a hook, a call or an id, from 0. */
  count(key: string): number {
    const count = this.#counts.get(key) ?? 0
    this.#counts.set(key, count + 1)
    return count
  }
  keepSnapshot(taken: unknown): void {
    this.#snapshots.push(taken)
  }
  get snapshot(): unknown {
    return this.#snapshots.at(-1)
  }
  /** Calls of one batch wait for different times, so that they never go on in the same instant. */
  sleep(ms: number, callId = ''): Promise<void> {
    return this.world.sleep(ms + laneOffset(callId))
  }
}

function laneOffset(callId: string): number {
  let hash = 0
  for (let i = 0; i < callId.length; i++) hash = (Math.imul(hash, 31) + callId.charCodeAt(i)) >>> 0
  return callId ? 1 + (hash % 331) : 0
}

/** A promise that nobody keeps: the process that made it is dead, or the thing hangs. */
export const never = (): Promise<never> => new Promise(() => {})

/** An error as its code and message. */
export const refusal = (error: unknown): string => {
  const { code, message } = error as { code?: string; message?: string }
  return `${code ?? 'error'}: ${message}`
}
