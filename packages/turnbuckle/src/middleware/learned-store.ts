/** The port that keeps what a monitor or a tuner has learned: plain data. A store of `turnbuckle/stores` is one. */
export interface LearnedStore {
  /** The value that was set last; undefined where there is none. */
  get(space: string, key: string): unknown
  /** `expiresAt`: milliseconds since 1970. */
  set(space: string, key: string, value: unknown, expiresAt?: number): unknown
}
