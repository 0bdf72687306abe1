import type { Files, FromWorker, Problem, Told, ToWorker } from '../run/protocol.ts'
import { dwell, type Pace } from './dwell.ts'
import { emptyScene, nextScene, type Scene } from './scene.ts'

/**
 * | phase | the run |
 * |---|---|
 * | `idle` | has not begun |
 * | `loading` | its worker is being loaded |
 * | `running` | tells, and what it tells is shown |
 * | `over` | has ended its last turn: another message goes on with it |
 * | `ended` | was ended from outside, because a hook held its thread; only a new run goes on |
 */
export type Phase = 'idle' | 'loading' | 'running' | 'over' | 'ended'

/** A moment of the session, for React. Never changed, always replaced. */
export interface Moment {
  readonly phase: Phase
  readonly scene: Scene
  /** The number of things told that are shown, and how many there are. */
  readonly position: number
  readonly total: number
  readonly playing: boolean
}

/** Milliseconds without an answer after which a worker counts as held by an endless loop. */
const patience = 2500
const heartbeat = 400
/** The things of a run that are kept, so that one can go back to each. */
const mostTold = 20_000

/** The run that the page shows: its worker, what it has told, and how far that is shown. */
export class Session {
  #moment: Moment = { phase: 'idle', scene: emptyScene(), position: 0, total: 0, playing: true }
  #told: Told[] = []
  #worker: Worker | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #heart: ReturnType<typeof setInterval> | undefined
  #heard = 0
  #pace: Pace = 'steady'
  readonly #listeners = new Set<() => void>()
  readonly #createWorker: () => Worker

  constructor(createWorker: () => Worker) {
    this.#createWorker = createWorker
  }

  get moment(): Moment {
    return this.#moment
  }
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  #change(change: Partial<Moment>): void {
    this.#moment = { ...this.#moment, ...change }
    for (const listener of this.#listeners) listener()
  }

  /** Forgets the run: the stage is empty. */
  reset(phase: Phase = 'idle'): void {
    this.close()
    this.#told = []
    this.#change({ phase, scene: emptyScene(), position: 0, total: 0, playing: true })
  }
  /** Begins a run of these files in a new worker. `message`: instead of the one that agent.ts exports. */
  start(files: Files, message?: string): void {
    this.reset('loading')
    const worker = this.#createWorker()
    this.#worker = worker
    worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
      if (this.#worker !== worker) return
      this.#heard = performance.now()
      if (data.type === 'told') this.#hear(data.told)
      if (data.type !== 'ready') return
      this.#change({ phase: 'running' })
      this.#post({ type: 'start', files, ...(message === undefined ? {} : { message }) })
      this.#heart = setInterval(() => this.#checkHeart(), heartbeat)
    })
    worker.addEventListener('error', () => {
      if (this.#worker === worker && this.#moment.phase === 'loading')
        this.#end({ message: 'The playground could not be loaded. Reload the page.' })
    })
  }
  /** Goes on with the conversation, or interjects while a turn runs. */
  say(text: string): void {
    const type = this.#moment.phase === 'over' ? 'send' : 'interject'
    if (type === 'send') this.#change({ phase: 'running' })
    this.#post({ type, text })
    this.play()
  }
  answer(requestId: string, answer: unknown): void {
    this.#post({ type: 'answer', requestId, answer })
    this.play()
  }
  /** The next message goes on from this one, once the turn is over. */
  checkout(messageId: string): void {
    this.#post({ type: 'checkout', messageId })
    this.play()
  }
  /** Interrupts the turn. What it has told since is shown. */
  interrupt(): void {
    this.#post({ type: 'interrupt' })
    this.play()
  }
  close(): void {
    this.#worker?.terminate()
    this.#worker = undefined
    clearTimeout(this.#timer)
    this.#timer = undefined
    clearInterval(this.#heart)
  }

  /** From now on; what is shown already stays as it is. */
  setPace(pace: Pace): void {
    this.#pace = pace
    this.play()
  }
  pause(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#change({ playing: false })
  }
  play(): void {
    this.#change({ playing: true })
    this.#schedule(0)
  }
  /** Shows the scene as it was after `position` things, and stays there. */
  seek(position: number): void {
    this.pause()
    const goal = Math.max(0, Math.min(position, this.#told.length))
    const from = goal < this.#moment.position ? 0 : this.#moment.position
    let scene = from ? this.#moment.scene : emptyScene()
    for (const told of this.#told.slice(from, goal)) scene = nextScene(scene, told)
    this.#show(scene, goal)
  }
  /** Shows one more stage, hook or message. */
  step(): void {
    this.pause()
    let { position } = this.#moment
    do position++
    while (position < this.#told.length && dwell(this.#told[position - 1] as Told, 'steady') === 0)
    this.seek(position)
  }

  #post(message: ToWorker): void {
    this.#worker?.postMessage(message)
  }
  #hear(told: Told): void {
    if (this.#told.length >= mostTold) {
      this.#end({ message: `Ended: the run has told ${mostTold} things. Does the code print in a loop?` })
      return
    }
    this.#told.push(told)
    this.#change({ total: this.#told.length })
    if (this.#moment.playing && this.#timer === undefined) this.#schedule(0)
  }
  /** Shows what stands for no time together with what comes before it: one change of the page for both. */
  #advance(): void {
    let { scene, position } = this.#moment
    let stands = 0
    while (position < this.#told.length && stands === 0) {
      const told = this.#told[position] as Told
      scene = nextScene(scene, told)
      stands = dwell(told, this.#pace)
      position++
    }
    this.#show(scene, position)
    if (position < this.#told.length || stands > 0) this.#schedule(stands)
  }
  #schedule(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (this.#moment.playing && this.#moment.position < this.#told.length) this.#advance()
    }, ms)
  }
  #show(scene: Scene, position: number): void {
    const isOver = scene.ended && !scene.ended.more && position === this.#told.length
    const { phase } = this.#moment
    this.#change({ scene, position, phase: phase === 'running' && isOver ? 'over' : phase })
    this.#post({ type: 'shown', count: position })
  }

  #checkHeart(): void {
    if (performance.now() - this.#heard > patience)
      this.#end({
        message: `Ended: the code has held its thread for ${patience / 1000} seconds. Is there an endless loop?`,
      })
    else this.#post({ type: 'ping' })
  }
  #end(problem: Problem): void {
    this.close()
    this.#told.push({ kind: 'problem', problem })
    const scene = this.#told.slice(this.#moment.position).reduce(nextScene, this.#moment.scene)
    this.#change({ phase: 'ended', scene, position: this.#told.length, total: this.#told.length })
  }
}
