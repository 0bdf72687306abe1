import { fork } from 'node:child_process'

/** A worker or a server, which is started again when it was killed. */
export class Member {
  #program
  #settings
  #log
  #child
  #again
  #isOver = false
  #isReady = true
  #tellReady
  /** Resolves when the process that runs now has begun, or one that was started after it. */
  ready

  constructor(program, settings, log) {
    this.#program = program
    this.#settings = settings
    this.#log = log
    this.#start()
  }
  #start() {
    // One process at a time has the port: a kill may come while a start is due.
    clearTimeout(this.#again)
    if (this.#isReady) this.ready = new Promise(resolve => (this.#tellReady = resolve))
    this.#isReady = false
    const child = fork(this.#program, [JSON.stringify(this.#settings)], {
      stdio: ['ignore', this.#log, this.#log, 'ipc'],
      execArgv: ['--expose-gc'],
    })
    this.#child = child
    child.once('message', () => {
      if (child !== this.#child) return
      this.#isReady = true
      this.#tellReady()
    })
    // One that could not begin, since the database is down, or that the system has killed is started again: as an orchestrator would.
    child.once('exit', () => {
      if (child === this.#child && !this.#isOver) this.#again = setTimeout(() => this.#start(), 500)
    })
  }
  get pid() {
    return this.#child.pid
  }
  get #ended() {
    const child = this.#child
    if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
    return new Promise(resolve => child.once('exit', resolve))
  }
  /** Kills it, and starts it anew. Says which process it was. */
  async kill() {
    const { pid } = this
    const ended = this.#ended
    this.#child.kill('SIGKILL')
    await ended
    if (!this.#isOver) this.#start()
    return { pid }
  }
  /** Stops it for some milliseconds: it hears nothing, and does not know of it. Says which process it was. */
  async freeze(ms) {
    const child = this.#child
    child.kill('SIGSTOP')
    await new Promise(resolve => setTimeout(resolve, ms))
    child.kill('SIGCONT')
    return { pid: child.pid }
  }
  /** Bytes that its heap has after a collection. */
  heap() {
    const child = this.#child
    return new Promise(resolve => {
      child.on('message', ({ heap }) => heap && resolve(heap))
      child.send('heap')
    })
  }
  async end() {
    this.#isOver = true
    clearTimeout(this.#again)
    const ended = this.#ended
    this.#child.kill('SIGCONT')
    this.#child.kill('SIGKILL')
    await ended
  }
}
