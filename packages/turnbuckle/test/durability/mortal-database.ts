import { writeFileSync } from 'node:fs'
import { openWhole as open } from '../../src/conversation/sqlite/open-readable.ts'
import type { Database } from '../../src/conversation/sqlite/open-sqlite.ts'

/** Deaths inside a group commit: two members are written, all are, or all are committed and none is acknowledged. */
export type GroupDeath = 'write' | 'commit' | 'acknowledge'

/** The database of a SQLite thread whose process dies in a group commit: `TURNBUCKLE_DEATH` is a death, which group with several members, and a file. */
export function openWhole(...given: Parameters<typeof open>): Database {
  const database = open(...given)
  const [death, group = '', file = ''] = (process.env.TURNBUCKLE_DEATH ?? '').split(' ')
  return death ? new MortalDatabase(database, death as GroupDeath, Number(group), file) : database
}

class MortalDatabase implements Database {
  readonly #inner: Database
  readonly #death: GroupDeath
  readonly #group: number
  readonly #file: string
  #groups = 0
  #members = 0
  #isCounted = false
  #before = ''

  constructor(inner: Database, death: GroupDeath, group: number, file: string) {
    this.#inner = inner
    this.#death = death
    this.#group = group
    this.#file = file
  }

  exec(sql: string): unknown {
    return this.#inner.exec(sql)
  }
  close(): void {
    this.#inner.close()
  }
  prepare(sql: string): ReturnType<Database['prepare']> {
    const statement = this.#inner.prepare(sql)
    return {
      all: (...params) => this.#run(sql, () => statement.all(...params)),
      iterate: (...params) => statement.iterate(...params),
      run: (...params) => this.#run(sql, () => statement.run(...params)),
    }
  }

  #run<Result>(sql: string, run: () => Result): Result {
    if (sql.startsWith('BEGIN')) this.#begin()
    if (sql === 'COMMIT') this.#dieAt('commit')
    const result = run()
    // Each member that writes records moves its conversation's row on.
    if (sql.startsWith('UPDATE conversations SET n = n +')) this.#countMember()
    if (sql === 'COMMIT') this.#dieAt('acknowledge')
    return result
  }
  #begin(): void {
    this.#members = 0
    this.#isCounted = false
    this.#before = this.#places()
  }
  /** A group counts from its second member on, once one of them has written records: leases alone change no log. */
  #countMember(): void {
    this.#members++
    if (this.#isCounted || this.#members < 2 || this.#places() === this.#before) return
    this.#isCounted = true
    this.#groups++
    this.#dieAt('write')
  }
  /** The place of each conversation's last record, as JSON. */
  #places(): string {
    return JSON.stringify(this.#inner.prepare('SELECT id, seq, n FROM conversations ORDER BY id').all())
  }
  #dieAt(death: GroupDeath): void {
    if (death !== this.#death || !this.#isCounted || this.#groups !== this.#group) return
    writeFileSync(this.#file, `{"before":${this.#before},"after":${this.#places()}}`)
    process.kill(process.pid, 'SIGKILL')
    // The signal may take its time: the thread does no more.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  }
}
