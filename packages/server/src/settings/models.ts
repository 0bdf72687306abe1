import { type Agent, type Model, TurnbuckleError } from 'turnbuckle'
import type { WireModel } from 'turnbuckle/client'
import { priceOf } from 'turnbuckle/models'

/** The models that conversations can choose from, as a port. The default is the agent's own. */
export interface Models {
  /** The names of models that can be used here. */
  list(): Promise<readonly string[]>
  /** The model of a name. Throws `model.unknown`, or `model.key` and the like where it cannot be used here. */
  find(name: string): Promise<Model>
}

/** Models of a server that was given none: the agent's alone. */
export const onlyModelOf = (agent: Agent): Models => ({
  list: async () => [agent.model.id],
  async find(name) {
    if (name === agent.model.id) return agent.model
    throw new TurnbuckleError('model.unknown', `No model "${name}" here. There is "${agent.model.id}".`)
  },
})

/** The list as the wire has it. The default is always part of it. */
export async function listModels(
  agent: Agent,
  models: Models,
): Promise<{ readonly default: string; readonly models: readonly WireModel[] }> {
  const { id, price } = agent.model
  const names = new Set(await models.list())
  names.delete(id)
  return { default: id, models: [wireModel(id, price), ...Array.from(names, name => wireModel(name, priceOf(name)))] }
}

const wireModel = (id: string, price: Model['price']): WireModel => ({
  id,
  ...(id === 'offline' ? { offline: true } : {}),
  ...(price ? { price } : {}),
})
