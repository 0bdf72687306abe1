// A process of the cluster that is started again when it ends.
import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { join } from 'node:path'

export class Member {
  name
  ready
  #child
  #isOver = false
  #begin

  /** Runs a program with that environment; its output goes into a file of `folder`. It is ready with its first line. */
  constructor(name, program, environment, folder) {
    this.name = name
    const log = openSync(join(folder, `${name.replace(' ', '-')}.log`), 'a')
    this.#begin = () => {
      const child = spawn(process.execPath, [program], {
        stdio: ['ignore', 'pipe', log],
        env: { ...process.env, ...environment },
      })
      this.#child = child
      child.once('exit', () => {
        if (!this.#isOver) setTimeout(() => this.#isOver || this.#begin(), 1000)
      })
      this.ready = new Promise((resolve, reject) => {
        child.stdout.once('data', resolve)
        child.once('exit', code => reject(new Error(`${name} ended with ${code}: its log is in ${folder}`)))
      })
      this.ready.catch(() => {})
    }
    this.#begin()
  }
  get pid() {
    return this.#child.pid
  }
  get isAlive() {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }
  /** Asks it to end; after five seconds it has to. */
  async end() {
    this.#isOver = true
    if (!this.isAlive) return
    const ended = new Promise(resolve => this.#child.once('exit', resolve))
    this.#child.kill('SIGTERM')
    const hard = setTimeout(() => this.#child.kill('SIGKILL'), 5000)
    await ended
    clearTimeout(hard)
  }
}
