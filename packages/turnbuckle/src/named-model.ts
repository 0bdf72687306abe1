import type { Model } from './core/base/ports.ts'

/** By its public name, so that no bundle has the providers in it whose agents need none. */
const door = 'turnbuckle/models'

/** The model of that name, found when it is first used. A failure is not kept: a key may be set meanwhile. */
export function namedModel(id: string): Model {
  let found: Model | undefined
  return {
    id,
    async *stream(prompt, options) {
      found ??= await find(id)
      yield* found.stream(prompt, options)
    },
  }
}

async function find(id: string): Promise<Model> {
  const models = (await import(/* @vite-ignore */ /* webpackIgnore: true */ door)) as {
    resolveModel(id: string): Promise<Model>
  }
  return models.resolveModel(id)
}
