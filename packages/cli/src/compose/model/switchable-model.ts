import type { Model } from 'turnbuckle'

/** A model that can be exchanged between two calls. */
export interface SwitchableModel extends Model {
  /** Takes effect with the next call. Throws when there is no such model. */
  use(name: string): Promise<void>
  /** Takes effect with the next call, which looks for the model anew: its key may be another one. */
  turnTo(name: string): void
}

/** The provider's package is looked for at the first call of the model, because that takes time. */
export function switchableModel(name: string): SwitchableModel {
  let id = name
  let found: Model | undefined
  const find = async (wanted: string) => (await import('turnbuckle/models')).resolveModel(wanted)
  return {
    get id() {
      return id
    },
    async *stream(prompt, options) {
      found ??= await find(id)
      yield* found.stream(prompt, options)
    },
    async use(wanted) {
      found = await find(wanted)
      id = wanted
    },
    turnTo(wanted) {
      found = undefined
      id = wanted
    },
  }
}
