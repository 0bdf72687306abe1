/** A version of the library, by its public doors only. */
export interface Library {
  readonly root: typeof import('turnbuckle')
  readonly stores: typeof import('turnbuckle/stores')
  readonly ready: typeof import('turnbuckle/middleware')
}
