import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { JsonRecord } from '../sql/json-record.ts'
import { SqlDriver } from '../sql/sql-driver.ts'
import { commitGroup, type WaitingWrite } from '../stores/commit-group.ts'
import type { Commit } from '../stores/driver.ts'
import { openWhole } from './open-readable.ts'
import { SqliteExecutor } from './sqlite-executor.ts'
import { failureOf, type ThreadAnswer, type ThreadCall, type ThreadOptions } from './thread-call.ts'

/** Milliseconds that a write which nobody waits for may wait for a commit to go along with. */
const rideMs = 100

/** The writing side of a SQLite store, in a thread of its own: whatever waits when it is free goes into one commit. */
class SqliteThread {
  readonly #port: MessagePort
  readonly #executor: SqliteExecutor
  readonly #driver: SqlDriver
  /** Writes that wait for another one to go along with. */
  #riding: ThreadCall[] = []
  #ride: ReturnType<typeof setTimeout> | undefined

  constructor(port: MessagePort, { path, driver, maxBytes }: ThreadOptions) {
    this.#port = port
    this.#executor = new SqliteExecutor(openWhole(path, { driver, maxBytes }), path)
    this.#driver = new SqlDriver(this.#executor)
    port.on('message', (calls: ThreadCall[]) => this.#take([...calls, ...this.#waiting()]))
  }

  *#waiting(): Generator<ThreadCall> {
    for (let next = receiveMessageOnPort(this.#port); next; next = receiveMessageOnPort(this.#port))
      yield* next.message as ThreadCall[]
  }

  #take(calls: readonly ThreadCall[]): void {
    const writes = calls.filter(({ method }) => isWrite(method))
    const isLast = calls.some(({ method }) => method === 'close')
    const goes = isLast || writes.some(call => !rides(call))
    if (!goes) this.#wait(writes)
    const written = goes ? this.#write([...this.#riding.splice(0), ...writes]) : []
    const read = calls.filter(({ method }) => !isWrite(method)).map(call => this.#read(call))
    this.#answer([...written, ...read])
    if (isLast) this.#port.close()
  }
  #wait(writes: readonly ThreadCall[]): void {
    this.#riding.push(...writes)
    if (!this.#riding.length) return
    this.#ride ??= setTimeout(() => {
      this.#ride = undefined
      if (this.#riding.length) this.#answer(this.#write(this.#riding.splice(0)))
    }, rideMs)
  }

  #write(calls: readonly ThreadCall[]): ThreadAnswer[] {
    const written = commitGroup(
      this.#executor,
      calls.map(call => this.#waitingWrite(call)),
    )
    return written.map((each, i) => {
      const { id } = calls[i] as ThreadCall
      return 'error' in each ? { id, failure: failureOf(each.error) } : { id, result: each.result }
    })
  }
  #waitingWrite(call: ThreadCall): WaitingWrite {
    return { unsynced: call.unsynced ?? false, write: () => this.#call(call) }
  }
  #read(call: ThreadCall): ThreadAnswer {
    try {
      return { id: call.id, result: this.#call(call) }
    } catch (error) {
      return { id: call.id, failure: failureOf(error) }
    }
  }
  #call(call: ThreadCall): unknown {
    const { method, args, json, unsynced } = call
    if (method === 'commit') return this.#driver.commit(commitOf(call))
    if (method !== 'set') return (this.#driver[method] as (...given: readonly unknown[]) => unknown)(...args)
    const [space, key, expiresAt] = args as [string, string, number | undefined]
    return this.#driver.setJson(space, key, json, expiresAt, unsynced)
  }
  /** Once for all that was taken: each message wakes the other thread. */
  #answer(answers: readonly ThreadAnswer[]): void {
    if (answers.length) this.#port.postMessage(answers)
  }
}

function commitOf({ json = '', bodies = [] }: ThreadCall): Commit {
  const commit = JSON.parse(json) as Commit
  return { ...commit, records: commit.records.map((head, i) => new JsonRecord(head, bodies[i] as string)) }
}

const isWrite = (method: ThreadCall['method']): boolean => ['commit', 'renew', 'delete', 'set'].includes(method)

/** True for a lease that is renewed, and for a value that asks for no sync: they go along with another write. */
const rides = ({ method, unsynced }: ThreadCall): boolean => unsynced === true && method !== 'commit'

// Node warns of its SQLite in each thread; the main thread has said so.
process.removeAllListeners('warning')

if (parentPort) new SqliteThread(parentPort, workerData as ThreadOptions)
