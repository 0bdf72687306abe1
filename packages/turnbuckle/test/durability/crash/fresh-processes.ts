import { type ChildProcess, fork } from 'node:child_process'
import type { Job, Played } from './play.ts'

/** How many are started before anybody needs them. */
const ahead = 2
const patienceMs = 120_000

/** Processes that were started and have done nothing yet. Each does one job and ends. */
export class FreshProcesses {
  readonly #program: string
  readonly #waiting: ChildProcess[] = []

  constructor(program: string) {
    this.#program = program
  }

  /** What it has played; undefined when it was killed. */
  async run(job: Job): Promise<Played | undefined> {
    while (this.#waiting.length <= ahead)
      this.#waiting.push(fork(this.#program, [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }))
    return give(this.#waiting.shift() as ChildProcess, job)
  }

  close(): void {
    for (const waiting of this.#waiting.splice(0)) waiting.disconnect()
  }
}

function give(worker: ChildProcess, job: Job): Promise<Played | undefined> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      reject(new Error(`Did not end within ${patienceMs / 1000} seconds: ${JSON.stringify(job)}`))
      worker.kill('SIGKILL')
    }, patienceMs)
    worker.once('message', ({ played, error }: { played?: Played; error?: string }) => {
      if (played) resolve(played)
      else reject(new Error(error))
      worker.disconnect()
    })
    worker.once('exit', (code, signal) => {
      clearTimeout(late)
      if (signal === 'SIGKILL') resolve(undefined)
      else reject(new Error(`It ended by itself (${code ?? signal}): ${JSON.stringify(job)}`))
    })
    worker.send(job)
  })
}
