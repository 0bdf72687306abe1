import { bytesOf, hexOf, sha256 } from '../core/base/sha256.ts'
import { canonical } from './canonical.ts'

/** The port that keeps cached values: plain data under short keys. */
export interface CacheStore {
  /** The value under the key, if there is one that still counts. */
  get(key: string): unknown
  /** Keeps a value under the key. */
  set(key: string, value: unknown): unknown
}

/** In this process; the least recently used makes room. */
export function memoryCache(options: { readonly max?: number } = {}): CacheStore {
  const { max = 1000 } = options
  const kept = new Map<string, unknown>()
  return {
    get(key) {
      const value = kept.get(key)
      if (value !== undefined) {
        kept.delete(key)
        kept.set(key, value)
      }
      return value
    },
    set(key, value) {
      kept.delete(key)
      kept.set(key, value)
      const [oldest] = kept.keys()
      if (kept.size > max && oldest !== undefined) kept.delete(oldest)
    },
  }
}

/** A value with the time it is good until. */
interface Kept<Value> {
  readonly value: Value
  readonly until: number | null
}

/** A store with expiry, on a clock from outside. What is no entry of ours is not there. */
export class Cache<Value> {
  readonly #store: CacheStore
  readonly #ttlMs: number

  constructor(store: CacheStore, ttlMs: number) {
    this.#store = store
    this.#ttlMs = ttlMs
  }

  async get(key: string, now: number): Promise<Value | undefined> {
    const kept = (await this.#store.get(key)) as Kept<Value> | null | undefined
    if (!kept || (kept.until !== null && kept.until <= now)) return undefined
    return kept.value
  }

  async set(key: string, value: Value, now: number): Promise<void> {
    const until = this.#ttlMs === Infinity ? null : now + this.#ttlMs
    await this.#store.set(key, { value, until } satisfies Kept<Value>)
  }
}

/** Two requests share a key only if they are the same. A short one is its own. */
export function cacheKey(request: unknown): string {
  const text = canonical(request)
  return text.length < 100 ? text : hexOf(sha256(bytesOf(text)))
}
