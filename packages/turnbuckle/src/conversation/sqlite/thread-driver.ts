import type { Worker } from 'node:worker_threads'
import { TurnbuckleError } from '../../core/base/errors.ts'
import { nodeModule } from '../platform/node-module.ts'
import type {
  Commit,
  Committed,
  ConversationRow,
  Driver,
  Hit,
  ListAsked,
  LogRecord,
  NodeRow,
  Readings,
  RequestRow,
  RequestsAsked,
  SearchAsked,
  TurnRow,
  TurnsAsked,
} from '../stores/driver.ts'
import { errorOf, type ThreadAnswer, type ThreadCall, type ThreadMethod, type ThreadOptions } from './thread-call.ts'
import { threadFile } from './thread-file.ts'

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/** A SQLite database in a thread of its own: no call waits for a disk on the thread of the caller, but for `atOnce`. */
export class ThreadDriver implements Driver {
  readonly atOnce: Readings
  readonly #options: ThreadOptions
  readonly #closeReader: () => void
  #worker: Worker | undefined
  readonly #waiting = new Map<number, Waiting>()
  #calls: ThreadCall[] = []
  #last = 0
  #ended: TurnbuckleError | undefined

  /** `reader`: a connection of the calling thread. */
  constructor(options: ThreadOptions, reader: Driver) {
    this.#options = options
    this.atOnce = reader
    this.#closeReader = () => void reader.close()
  }

  commit(commit: Commit): Promise<Committed> {
    const { records, unsynced } = commit
    const heads = records.map(({ seq, turn, type }) => ({ seq, turn, type }))
    const bodies = records.map(({ body }) => JSON.stringify(body))
    return this.#ask('commit', [], { json: JSON.stringify({ ...commit, records: heads }), bodies, unsynced })
  }
  renew(...given: Parameters<Driver['renew']>): Promise<boolean> {
    return this.#ask('renew', given, { unsynced: true })
  }
  conversation(id: string): Promise<ConversationRow | undefined> {
    return this.#ask('conversation', [id])
  }
  path(...given: Parameters<Driver['path']>): Promise<readonly NodeRow[]> {
    return this.#ask('path', given)
  }
  nodes(conversation: string): Promise<readonly NodeRow[]> {
    return this.#ask('nodes', [conversation])
  }
  states(conversation: string): Promise<Readonly<Record<string, unknown>>> {
    return this.#ask('states', [conversation])
  }
  records(...given: Parameters<Driver['records']>): Promise<readonly LogRecord[]> {
    return this.#ask('records', given)
  }
  turns(where: TurnsAsked): Promise<readonly TurnRow[]> {
    return this.#ask('turns', [where])
  }
  requests(where: RequestsAsked): Promise<readonly RequestRow[]> {
    return this.#ask('requests', [where])
  }
  list(where: ListAsked): Promise<readonly ConversationRow[]> {
    return this.#ask('list', [where])
  }
  search(where: SearchAsked): Promise<readonly Hit[]> {
    return this.#ask('search', [where])
  }
  delete(conversation: string): Promise<void> {
    return this.#ask('delete', [conversation])
  }
  get(space: string, key: string): Promise<unknown> {
    return this.#ask('get', [space, key])
  }
  set(space: string, key: string, value: unknown, expiresAt?: number, unsynced?: boolean): Promise<void> {
    const json = value === undefined ? undefined : JSON.stringify(value)
    return this.#ask('set', [space, key, expiresAt], { json, unsynced })
  }
  entries(space: string): Promise<readonly (readonly [string, unknown])[]> {
    return this.#ask('entries', [space])
  }

  async close(): Promise<void> {
    if (this.#ended) return
    const closing = this.#worker ? this.#ask<void>('close', []) : undefined
    this.#ended = new TurnbuckleError('store.closed', `"${this.#options.path}" is closed.`, { kind: 'store' })
    this.#closeReader()
    await closing
    await this.#worker?.terminate()
  }

  #ask<Result>(
    method: ThreadMethod,
    args: readonly unknown[],
    write: Pick<ThreadCall, 'json' | 'bodies' | 'unsynced'> = {},
  ): Promise<Result> {
    if (this.#ended) return Promise.reject(this.#ended)
    this.#worker ??= this.#start()
    const id = ++this.#last
    if (!this.#waiting.size) this.#worker.ref()
    if (!this.#calls.length) setImmediate(() => this.#send())
    this.#calls.push({ id, method, args, ...write })
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as Waiting['resolve'], reject })
    })
  }
  /** Sends what has come up in one turn of the event loop: the thread commits it together. */
  #send(): void {
    this.#worker?.postMessage(this.#calls)
    this.#calls = []
  }
  #start(): Worker {
    const { Worker } = nodeModule('node:worker_threads')
    const worker = new Worker(threadFile, { workerData: this.#options, name: 'turnbuckle-sqlite' })
    worker.on('message', (answers: readonly ThreadAnswer[]) => {
      for (const answer of answers) this.#settle(answer)
      // The process may end while the thread has nothing to do.
      if (!this.#waiting.size) worker.unref()
    })
    worker.on('error', error => this.#end(`The thread of "${this.#options.path}" failed: ${error.message}`))
    worker.on('exit', () => this.#end(`The thread of "${this.#options.path}" has ended.`))
    return worker
  }
  #settle(answer: ThreadAnswer): void {
    const waiting = this.#waiting.get(answer.id)
    this.#waiting.delete(answer.id)
    if ('failure' in answer) waiting?.reject(errorOf(answer.failure))
    else waiting?.resolve(answer.result)
  }
  /** Without its thread the store takes nothing more; what was acknowledged is in the file. */
  #end(message: string): void {
    this.#ended ??= new TurnbuckleError('store.failed', message, { kind: 'store' })
    for (const { reject } of this.#waiting.values()) reject(this.#ended)
    this.#waiting.clear()
  }
}
