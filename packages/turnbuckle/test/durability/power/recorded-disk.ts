import { createRequire } from 'node:module'
import type { Random } from '../../same/random.ts'

type Operation =
  | { readonly is: 'write'; readonly path: string; readonly at: number; readonly bytes: Buffer }
  | { readonly is: 'truncate'; readonly path: string; readonly length: number }
  | { readonly is: 'create' | 'sync' | 'unlink'; readonly path: string }

/** Bytes that a disk writes as one. */
const sector = 512

type FileSystem = Record<string, (...args: never[]) => unknown>
// The object that `require('fs')` gives: SQLite in WebAssembly writes through it.
const fs = createRequire(import.meta.url)('node:fs') as FileSystem

/** Records what is written below a folder, and what is synced, so that its files can be had as a power cut would leave them. */
export class RecordedDisk {
  readonly #folder: string
  readonly #operations: Operation[] = []
  readonly #paths = new Map<number, string>()
  readonly #before: FileSystem = {}

  constructor(folder: string) {
    this.#folder = folder
    this.#patch('openSync', (path: string, ...rest) => {
      const isNew = this.#isOurs(path) && !(fs['existsSync'] as (path: string) => boolean)(path)
      const file = this.#call<number>('openSync', path, ...rest)
      if (this.#isOurs(path)) this.#paths.set(file, path)
      if (isNew) this.#operations.push({ is: 'create', path })
      return file
    })
    this.#patch('writeSync', (file: number, bytes: Uint8Array, from: number, length: number, at: number, ...rest) => {
      const path = this.#paths.get(file)
      if (path) this.#operations.push({ is: 'write', path, at, bytes: Buffer.from(bytes.slice(from, from + length)) })
      return this.#call('writeSync', file, bytes, from, length, at, ...rest)
    })
    this.#patch('fsyncSync', (file: number) => {
      const path = this.#paths.get(file)
      if (path) this.#operations.push({ is: 'sync', path })
      // The real disk need not be waited for: it keeps its power.
      return path ? undefined : this.#call('fsyncSync', file)
    })
    this.#patch('ftruncateSync', (file: number, length: number) => {
      const path = this.#paths.get(file)
      if (path) this.#operations.push({ is: 'truncate', path, length })
      return this.#call('ftruncateSync', file, length)
    })
    this.#patch('unlinkSync', (path: string) => {
      if (this.#isOurs(path)) this.#operations.push({ is: 'unlink', path })
      return this.#call('unlinkSync', path)
    })
    this.#patch('closeSync', (file: number) => {
      this.#paths.delete(file)
      return this.#call('closeSync', file)
    })
  }
  #isOurs(path: unknown): boolean {
    return typeof path === 'string' && path.startsWith(this.#folder)
  }
  // biome-ignore lint/suspicious/noExplicitAny: the arguments are those of the function that is patched
  #patch(name: string, by: (...args: any[]) => unknown): void {
    this.#before[name] = fs[name] as FileSystem[string]
    fs[name] = by as FileSystem[string]
  }
  #call<Result>(name: string, ...args: readonly unknown[]): Result {
    return (this.#before[name] as (...args: readonly unknown[]) => Result)(...args)
  }
  [Symbol.dispose](): void {
    Object.assign(fs, this.#before)
  }

  /** Number of operations so far: a moment to cut the power at. */
  get moment(): number {
    return this.#operations.length
  }

  /**
   * Files as they are after the power was cut at a moment: of what was not synced some is there, some not, some in part.
   * `heedsSyncs`: false for a disk that lies about what it has.
   */
  cutAt(moment: number, random: Random, heedsSyncs = true): ReadonlyMap<string, Buffer> {
    const files = new Map<string, { durable: Content | undefined; pending: Operation[] }>()
    for (const operation of this.#operations.slice(0, moment)) {
      const { path } = operation
      const file = files.get(path) ?? { durable: undefined, pending: [] }
      files.set(path, file)
      if (operation.is === 'sync' && heedsSyncs) {
        file.durable = file.pending.reduce(applied, file.durable)
        file.pending = []
      } else file.pending.push(operation)
      // SQLite has the folder synced after it has deleted a journal: it would be rolled back.
      if (operation.is === 'unlink' && path.endsWith('-journal')) files.delete(path)
    }
    const left = new Map<string, Buffer>()
    for (const [path, { durable, pending }] of files) {
      const content = pending.flatMap(operation => survived(operation, random)).reduce(applied, durable)
      if (content) left.set(path, content.bytes)
    }
    return left
  }
}

/** The content of a file, which grows in place: a cut goes through thousands of writes. */
class Content {
  #bytes = Buffer.alloc(0)
  #length = 0

  write(bytes: Buffer, at: number): void {
    this.resize(Math.max(this.#length, at + bytes.length))
    bytes.copy(this.#bytes, at)
  }
  resize(length: number): void {
    if (length > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(2 * length)])
    if (length < this.#length) this.#bytes.fill(0, length, this.#length)
    this.#length = length
  }
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }
}

/** A file after an operation; undefined for one that is not there. */
function applied(content: Content | undefined, operation: Operation): Content | undefined {
  if (operation.is === 'unlink') return undefined
  const file = content ?? new Content()
  if (operation.is === 'truncate') file.resize(operation.length)
  if (operation.is === 'write') file.write(operation.bytes, operation.at)
  return file
}

/** The parts of an operation that have reached the disk. */
function survived(operation: Operation, random: Random): Operation[] {
  const fate = random.next()
  if (fate < 0.4) return [operation]
  if (fate < 0.7 || operation.is !== 'write') return []
  const { at, bytes, path } = operation
  const parts: Operation[] = []
  for (let from = 0; from < bytes.length; ) {
    const end = Math.min(bytes.length, from + sector - ((at + from) % sector))
    if (random.chance(0.5)) parts.push({ is: 'write', path, at: at + from, bytes: bytes.subarray(from, end) })
    from = end
  }
  return parts
}
